import { type Html, html, NOTHING } from "./html.ts";
import { markdown } from "./markdown.ts";
import type { Member, Shape } from "./shape.ts";

/** The members of an object, each with its type, its rules and what is in it. */
export const membersHtml = (members: readonly Member[]): Html =>
  members.length === 0
    ? NOTHING
    : html`<ul class="members">${members.map(
        ({ name, isRequired, shape }) => html`<li>${headOf(name, shape, isRequired)}${bodyOf(shape)}</li>\n`,
      )}</ul>\n`;

/** What a body or an answer is: its members, or one of several. */
export const shapeHtml = (shape: Shape): Html =>
  shape.members.length > 0 || shape.variants.length > 0
    ? insideOf(shape)
    : html`<ul class="members"><li>${headOf("", shape, false)}${bodyOf(shape)}</li></ul>`;

const headOf = (name: string, shape: Shape, isRequired: boolean): Html =>
  html`<p class="member">${name !== "" && html`<code>${name}</code> `}<span class="type">${shape.type}${
    shape.isNullable && " or null"
  }</span>${isRequired && html` <span class="required">required</span>`}${
    shape.isDeprecated && html` <span class="deprecated">deprecated</span>`
  }</p>`;

function bodyOf(shape: Shape): Html {
  const { description, limits, values, fallback, example } = shape;
  const facts = [
    ...(values.length > 0 ? [html`${values.length === 1 ? "Always" : "One of"} ${codes(values)}`] : []),
    ...(fallback === undefined ? [] : [html`Default ${codes([fallback])}`]),
    ...limits.map((limit) =>
      limit.includes("pattern ")
        ? html`${limit.slice(0, limit.indexOf("pattern ") + 8)}<code>${limit.slice(limit.indexOf("pattern ") + 8)}</code>`
        : html`${limit}`,
    ),
    ...(example === undefined ? [] : [html`For example ${codes([example])}`]),
  ];
  const inside = insideOf(shape);
  return html`${description !== undefined && markdown(description)}${
    facts.length > 0 && html`<p class="limits">${joinedBy("; ", facts)}</p>`
  }${shape.isShownAbove && html`<p class="limits">Its members are as above.</p>`}${
    inside !== NOTHING && html`<details><summary>Members of ${itsName(shape)}</summary>${inside}</details>`
  }`;
}

function insideOf({ members, variants }: Shape): Html {
  if (members.length === 0 && variants.length === 0) return NOTHING;
  return html`${membersHtml(members)}${
    variants.length > 0 &&
    html`<p class="limits">One of ${variants.length}:</p>${variants.map(
      (variant, index) =>
        html`<details><summary>${variant.model ?? nameOf(variant, index)}</summary>${
          variant.description !== undefined && markdown(variant.description)
        }${shapeHtml(variant)}</details>`,
    )}`
  }`;
}

const itsName = ({ type }: Shape): string => type.replace(/^array of /, "each ");

/** A variant without a name is told apart by the word that its `object` always has, or by what it needs. */
function nameOf({ members, type }: Shape, index: number): string {
  const word = members.find(({ name }) => name === "object")?.shape.values;
  if (word?.length === 1) return String(word[0]);
  const needed = members.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  if (needed.length > 0) return `with ${needed.join(", ")}`;
  return members.length === 0 ? type : `form ${index + 1}`;
}

const codes = (values: readonly unknown[]): Html =>
  joinedBy(
    ", ",
    values.map((value) => html`<code>${typeof value === "string" ? value : JSON.stringify(value)}</code>`),
  );

export const joinedBy = (between: string, parts: readonly Html[]): Html =>
  html`${parts.map((part, index) => html`${index > 0 && between}${part}`)}`;
