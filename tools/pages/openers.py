"""The page with every opener's least total, in a table that can be sorted and searched."""

from pathlib import Path

import numpy as np

from tools.records.exact_openers import entropies, ranks, read_table
from tools.records.tables import HARD_TABLE

from .sources import write_if_changed

_SCRIPT = """
const table = document.getElementById("openers");
const body = table.tBodies[0];
const rows = [...body.rows];
let sorted = -1, down = false;
for (const [place, head] of [...table.tHead.rows[0].cells].entries()) {
  head.firstElementChild.addEventListener("click", () => {
    down = sorted === place ? !down : false;
    sorted = place;
    const key = (row) => place ? Number(row.cells[place].dataset.key) : row.cells[0].textContent;
    rows.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) * (down ? -1 : 1));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    body.replaceChildren(...rows);
  });
}
document.getElementById("opener").addEventListener("input", (event) => {
  const text = event.target.value.trim().toUpperCase();
  for (const row of rows) row.hidden = !row.cells[0].textContent.includes(text);
});
"""


def write_opener_table(folder: Path) -> None:
    """The page, made of the committed table."""
    rows = read_table()
    bits = entropies(rows)
    by_entropy = ranks(-bits).tolist()
    by_total = ranks(np.array([row.total for row in rows], dtype=np.float64)).tolist()
    hard = {row.opener: row.total for row in read_table(HARD_TABLE)}
    heads = ("opener", "least total", "rank", "entropy in bits", "its rank", "in hard mode")
    out = [
        "# All openers, sorted as you like",
        "",
        "The least total over the 2,315 answers, proved. "
        "[What the table shows](../exact-openers.md). A click on a heading sorts by it, a second "
        "one the other way round.",
        "",
        "```{raw} html",
        '<p><label>Show openers with <input id="opener" maxlength="5" size="6"></label></p>',
        '<table id="openers"><thead><tr>',
        *(f'<th scope="col"><button type="button">{head}</button></th>' for head in heads),
        "</tr></thead><tbody>",
    ]
    for row, rank, entropy, place in zip(rows, by_total, bits.tolist(), by_entropy, strict=True):
        out.append(
            f"<tr><td>{row.opener.upper()}</td>"
            f'<td data-key="{row.total}">{row.total:,}</td>'
            f'<td data-key="{rank}">{rank:,}</td>'
            f'<td data-key="{entropy:.6f}">{entropy:.4f}</td>'
            f'<td data-key="{place}">{place:,}</td>'
            f'<td data-key="{hard[row.opener]}">{hard[row.opener]:,}</td></tr>'
        )
    out += ["</tbody></table>", f"<script>{_SCRIPT}</script>", "```", ""]
    write_if_changed(folder / "openers.md", "\n".join(out).encode())
