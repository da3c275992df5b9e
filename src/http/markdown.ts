/**
 * The part of Markdown that our own pages use, as HTML: headings, paragraphs, lists of one level, tables, fenced code,
 * and in a line `code`, **strong** and [links](/path). Everything else is text. All text is escaped, so a page can't
 * bring markup of its own.
 */
export function markdownToHtml(markdown: string): string {
  const html: string[] = [];
  const blocks = markdown.split(/(^```[^\n]*\n[\s\S]*?^```$)/m);
  for (const block of blocks) {
    const code = /^```[^\n]*\n([\s\S]*?)^```$/m.exec(block)?.[1];
    if (code !== undefined) html.push(`<pre tabindex="0"><code>${escapeHtml(code.trimEnd())}</code></pre>`);
    else for (const part of block.split(/\n{2,}/)) if (part.trim() !== "") html.push(blockToHtml(part.trim()));
  }
  return html.join("\n");
}

function blockToHtml(block: string): string {
  const lines = block.split("\n");
  const heading = /^(#{1,3}) (.+)$/.exec(block);
  if (heading?.[1] && heading[2]) return `<h${heading[1].length}>${inline(heading[2])}</h${heading[1].length}>`;
  if (lines.every((line) => line.startsWith("- "))) {
    return `<ul>${lines.map((line) => `<li>${inline(line.slice(2))}</li>`).join("")}</ul>`;
  }
  if (lines.length > 2 && lines.every((line) => line.startsWith("|"))) return tableToHtml(lines);
  return `<p>${inline(lines.join(" "))}</p>`;
}

/** Rows of `| a | b |`: the first is the head, the second the line under it. */
function tableToHtml(lines: readonly string[]): string {
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => inline(cell.trim())),
  );
  const headCells = head.map((cell) => `<th scope="col">${cell}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("");
  return `<table><thead><tr>${headCells}</tr></thead><tbody>${body}</tbody></table>`;
}

const inline = (text: string): string =>
  text
    .split(/(`[^`]+`)/)
    .map((piece) => {
      if (/^`[^`]+`$/.test(piece)) return `<code>${escapeHtml(piece.slice(1, -1))}</code>`;
      return escapeHtml(piece)
        .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
        .replaceAll(/\[([^\]]+)\]\((\/[^)\s]*|[\w.-]+\.md)\)/g, '<a href="$2">$1</a>');
    })
    .join("");

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
