// The timeline as a table, for those who do not see lanes; made when it is opened.

const TABLE_MAX = 3000;

function fillTable() {
  const body = document.querySelector("#log .body");
  if (body.firstChild) return;
  for (const run of runs) {
    const caption = runs.length > 1 ? `What happened in ${run.name}` : "What happened";
    const rows = run.marks
      .slice(0, TABLE_MAX)
      .map((mark) =>
        make(
          "tr",
          null,
          make("td", null, at(mark.t)),
          make("td", null, laneName(mark.lane)),
          make("td", null, mark.word),
          make("td", null, mark.text),
        ),
      );
    const table = make(
      "table",
      { class: "log" },
      make("caption", null, caption),
      make(
        "thead",
        null,
        make(
          "tr",
          null,
          ...["Time", "Object", "What", "Why"].map((text) => make("th", { scope: "col" }, text)),
        ),
      ),
      make("tbody", null, ...rows),
    );
    body.append(
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, table),
    );
    if (run.marks.length > TABLE_MAX) {
      body.append(
        make(
          "p",
          { class: "note" },
          `… and ${grouped(run.marks.length - TABLE_MAX)} more; replay -o wide has all of them.`,
        ),
      );
    }
  }
}
