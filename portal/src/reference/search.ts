import { element } from "./elements.ts";
import { find, type Place } from "./find.ts";

/** The search over operations, guides and errors: by the button, `/` or Ctrl K. */
export function offerSearch(button: HTMLElement): void {
  let opened: ReturnType<typeof makeDialogue> | undefined;
  const open = () => {
    opened ??= makeDialogue();
    opened.open();
  };
  button.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest("input, textarea, select, dialog");
    const isAsked = event.key === "/" ? !isTyping : event.key === "k" && (event.ctrlKey || event.metaKey);
    if (!isAsked || (event.key === "/" && (event.ctrlKey || event.metaKey || event.altKey))) return;
    event.preventDefault();
    open();
  });
  button.hidden = false;
}

function makeDialogue() {
  const input = element("input", {
    type: "text",
    role: "combobox",
    "aria-label": "Search the documentation",
    "aria-controls": "found",
    "aria-expanded": "false",
    "aria-autocomplete": "list",
    placeholder: "An operation, a field, an error …",
    autocomplete: "off",
  });
  const list = element("ul", { class: "found", id: "found", role: "listbox", "aria-label": "Results" });
  const said = element("p", { role: "status" });
  const dialogue = element("dialog", { "aria-label": "Search" }, input, list, said);
  document.body.append(dialogue);

  let places: readonly Place[] | undefined;
  let found: readonly Place[] = [];
  let at = 0;

  const show = () => {
    found = find(places ?? [], input.value);
    at = 0;
    list.replaceChildren(
      ...found.map(({ title, where, url }, index) => {
        const item = element("li", { role: "option", id: `found-${index}` }, title, element("span", {}, where));
        item.addEventListener("click", () => go(url));
        return item;
      }),
    );
    said.textContent = sayingOf(input.value, found.length);
    said.hidden = said.textContent === "";
    list.hidden = found.length === 0;
    input.setAttribute("aria-expanded", String(found.length > 0));
    mark();
  };
  const mark = () => {
    for (const [index, item] of [...list.children].entries()) item.setAttribute("aria-selected", String(index === at));
    if (found.length === 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", `found-${at}`);
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  const go = (url: string) => {
    dialogue.close();
    location.assign(url);
  };
  const load = async () => {
    try {
      const response = await fetch("/docs/search.json");
      if (!response.ok) throw new Error(String(response.status));
      places = (await response.json()) as readonly Place[];
      show();
    } catch {
      said.textContent = "The list could not be loaded. Close the search and open it again.";
    }
  };

  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const place = found[at];
    if (event.key === "Enter" && place) go(place.url);
    if (step === undefined || found.length === 0) return;
    event.preventDefault();
    at = (at + step + found.length) % found.length;
    mark();
  });
  dialogue.addEventListener("click", ({ target }) => target === dialogue && dialogue.close());
  return {
    open() {
      dialogue.showModal();
      input.select();
      show();
      if (!places) void load();
    },
  };
}

function sayingOf(query: string, count: number): string {
  if (query.trim() === "") return "Type what you look for. ↑ and ↓ choose, Enter opens.";
  return count === 0 ? "Nothing has any of these words." : "";
}
