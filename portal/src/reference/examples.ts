import { all, element } from "./elements.ts";

/** The gateway, as the page was written. */
const WRITTEN_ORIGIN = "http://localhost:8080";
const LANGUAGE = "afara.language";

/** The examples call the gateway from which they were read. */
export function useOwnAddress(): void {
  if (location.origin === WRITTEN_ORIGIN) return;
  for (const code of all(".code pre code"))
    code.textContent = code.textContent.replaceAll(WRITTEN_ORIGIN, location.origin);
}

/** One choice of a language is that of all examples, and of the next page. */
export function keepLanguage(): void {
  const show = (language: string) => {
    for (const input of all<HTMLInputElement>(".tabs input")) input.checked = input.value === language;
  };
  const kept = localStorage.getItem(LANGUAGE);
  if (kept && document.querySelector(`.tabs input[value="${CSS.escape(kept)}"]`)) show(kept);
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest(".tabs")) return;
    localStorage.setItem(LANGUAGE, target.value);
    const before = target.getBoundingClientRect().top;
    show(target.value);
    scrollBy(0, target.getBoundingClientRect().top - before); // examples above it may have become longer
  });
}

/** Each example and each line of the guides is copied by a press. */
export function offerCopies(): void {
  for (const box of all(".code")) box.append(copyButton(() => shownIn(box)));
  for (const pre of all("article > pre, .example pre")) {
    const box = element("div", { class: "copied" });
    pre.replaceWith(box);
    box.append(
      pre,
      copyButton(() => pre.textContent),
    );
  }
}

const shownIn = (box: HTMLElement): string => all("pre", box).find((pre) => pre.offsetParent)?.textContent ?? "";

function copyButton(textOf: () => string): HTMLButtonElement {
  const button = element("button", { type: "button", class: "copy" }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(textOf());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed";
    }
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2_000);
  });
  return button;
}
