type Attributes = Readonly<Record<string, string | boolean>>;

/** An element with its attributes and what is in it. Text stays text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes))
    if (value !== false) made.setAttribute(attribute, value === true ? "" : value);
  made.append(...inside);
  return made;
}

export const all = <Kind extends HTMLElement>(selector: string, within: ParentNode = document): readonly Kind[] => [
  ...within.querySelectorAll<Kind>(selector),
];
