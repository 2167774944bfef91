// The two scripts that the page starts by their address; the content security policy allows no others.

const SCRIPTS = ["made/worker.js", "service.js"];

const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("knuthle", {
  createScriptURL(/** @type {string} */ name) {
    if (!SCRIPTS.includes(name)) throw new TypeError(`no script of this page: ${name}`);
    return new URL(name, document.baseURI).href;
  },
});

/** The address of one of the two scripts, in the form that the browser accepts.
 *  @param {string} name @returns {string} */
export const scriptAddress = (name) =>
  policy ? policy.createScriptURL(name) : new URL(name, document.baseURI).href;
