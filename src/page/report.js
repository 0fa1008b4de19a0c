"use strict";
/*
 * report.js -- tables sort by the column whose head is clicked, the other way round at the second
 * click; empty cells come last either way, and the rows of a foot stay where they are.  Numbers are
 * compared by what data-v says exactly.  Without scripts the page is whole, only not sortable.
 */
(() => {
    const collator = new Intl.Collator("en", {numeric: true});

    function valueOf(row, column) {
        const cell = row.cells[column];
        if (cell.dataset.v !== undefined)
            return Number(cell.dataset.v);
        return cell.textContent.trim();
    }

    /* Numbers before texts. */
    function compare(a, b) {
        if (typeof a === "number" && typeof b === "number")
            return a - b;
        if (typeof a !== typeof b)
            return typeof a === "number" ? -1 : 1;
        return collator.compare(a, b);
    }

    function sort(table, column, down) {
        const body = table.tBodies[0];
        const rows = Array.from(body.rows, row => ({row, value: valueOf(row, column)}));
        const full = rows.filter(r => r.value !== "");
        const empty = rows.filter(r => r.value === "");
        full.sort((a, b) => (down ? -1 : 1) * compare(a.value, b.value));
        body.append(...full.concat(empty).map(r => r.row));
    }

    function click(table, heads, column) {
        const down = heads[column].getAttribute("aria-sort") === "ascending";
        for (const head of heads)
            head.removeAttribute("aria-sort");
        heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
        sort(table, column, down);
    }

    for (const table of document.querySelectorAll("table.sort")) {
        const heads = Array.from(table.tHead.rows[0].cells);
        heads.forEach((head, column) => {
            const button = document.createElement("button");
            button.type = "button";
            button.append(...head.childNodes);
            button.addEventListener("click", () => click(table, heads, column));
            head.append(button);
        });
    }

    /* On paper nothing can be unfolded. */
    let folded = [];
    addEventListener("beforeprint", () => {
        folded = Array.from(document.querySelectorAll("details:not([open])"));
        folded.forEach(d => { d.open = true; });
    });
    addEventListener("afterprint", () => folded.forEach(d => { d.open = false; }));
})();
