import { offerColours, showChosenColours } from "./colours.ts";
import { all } from "./elements.ts";
import { keepLanguage, offerCopies, useOwnAddress } from "./examples.ts";
import { offerSearch } from "./search.ts";
import { offerTrial } from "./try-it.ts";

showChosenColours();

document.addEventListener("DOMContentLoaded", () => {
  const [theme, search] = ["theme", "search"].map((id) => document.getElementById(id));
  if (theme) offerColours(theme);
  if (search) offerSearch(search);
  showPlace();
  useOwnAddress();
  keepLanguage();
  offerCopies();
  for (const place of all(".try")) offerTrial(place);
});

/** The list of all pages is longer than a window: it begins where the reader is. */
function showPlace(): void {
  const [side, here] = [document.getElementById("menu"), document.querySelector<HTMLElement>(".side [aria-current]")];
  if (side && here) side.scrollTop = here.offsetTop - side.clientHeight / 3;
}
