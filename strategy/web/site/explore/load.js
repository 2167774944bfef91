// Puts the strategy that was handed over where the scripts that follow read it.

(() => {
  let text = null;
  try {
    text = sessionStorage.getItem("knuthle-explored");
  } catch {
    // no storage
  }
  if (text === null) location.replace("index.html#strategies");
  document.getElementById("strategy").textContent = text ?? "{}";
})();
