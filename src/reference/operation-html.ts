import { inEachLanguage } from "../../portal/src/pieces/code.ts";
import {
  type Answer,
  answersOf,
  bodiesOf,
  callOf,
  exampleOf,
  isPublic,
  type NamedExample,
  refusalsOf,
  whyNotTried,
} from "./calls.ts";
import { type Html, html, NOTHING } from "./html.ts";
import { markdown } from "./markdown.ts";
import { type Endpoint, type Header, type OpenApi, type Parameter, parametersIn, resolved } from "./openapi.ts";
import { type Member, shapeOf } from "./shape.ts";
import { membersHtml, shapeHtml } from "./shape-html.ts";

/** The gateway, as the examples speak of it until the page knows its own address. */
export const EXAMPLE_ORIGIN = "http://localhost:8080";

/** An operation: what it does and takes and answers, and beside it the call in each language. */
export function operationHtml(document: OpenApi, endpoint: Endpoint, titleOf: (code: string) => string): Html {
  const { method, path, operation } = endpoint;
  const { operationId: id, summary, description } = operation;
  return html`<section class="operation" aria-labelledby="${id}">
<div class="told">
<h2 id="${id}">${summary}</h2>
<p class="endpoint"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
${factsOf(endpoint)}
${description !== undefined && markdown(description)}
${parametersHtml(document, endpoint)}
${bodyHtml(document, endpoint)}
${answersHtml(document, endpoint)}
${refusalsHtml(document, endpoint, titleOf)}
</div>
<div class="shown">
${codeHtml(document, endpoint)}
${moreBodies(bodiesOf(document, operation))}
${answerExamples(answersOf(document, operation))}
${tryHtml(document, endpoint)}
</div>
</section>
`;
}

const IDEMPOTENCY: Readonly<Record<string, string>> = {
  required: "needs an Idempotency-Key or a reference",
  optional: "takes an Idempotency-Key",
};

function factsOf({ operation }: Endpoint): Html {
  const { "x-scope": scope, "x-idempotency": idempotency = "none", "x-rate-limit-policy": policy } = operation;
  return html`<ul class="facts">${
    isPublic(operation) ? html`<li>needs no key</li>` : html`<li>scope <code>${scope ?? "read"}</code></li>`
  }${IDEMPOTENCY[idempotency] && html`<li>${IDEMPOTENCY[idempotency]}</li>`}${
    policy !== undefined && html`<li>limit <code>${policy}</code></li>`
  }</ul>`;
}

const PLACES = [
  ["path", "Path"],
  ["query", "Query"],
  ["header", "Headers"],
] as const;

const parametersHtml = (document: OpenApi, { operation }: Endpoint): Html =>
  html`${PLACES.map(([place, title]) => {
    const found = parametersIn(document, operation, place);
    if (found.length === 0) return NOTHING;
    return html`<h3>${title}</h3>${membersHtml(found.map((parameter) => asMember(document, parameter)))}`;
  })}`;

function asMember(document: OpenApi, { name, required, schema, description, example }: Parameter): Member {
  const shape = shapeOf(document, schema);
  return {
    name,
    isRequired: required ?? false,
    shape: { ...shape, ...(description !== undefined && { description }), ...(example !== undefined && { example }) },
  };
}

const bodyHtml = (document: OpenApi, { operation: { requestBody } }: Endpoint): Html =>
  requestBody === undefined
    ? NOTHING
    : html`<h3>Body</h3>${Object.entries(requestBody.content).map(
        ([type, { schema }]) =>
          html`<p class="limits"><code>${type}</code>${!requestBody.required && ", may be left out"}</p>${
            schema && shapeHtml(shapeOf(document, schema))
          }`,
      )}`;

const answersHtml = (document: OpenApi, { operation }: Endpoint): Html =>
  html`<h3>Answers</h3>${answersOf(document, operation).map(
    ({ status, description, headers, media }) =>
      html`<details class="answer"><summary><span class="status">${status}</span> ${description}${
        media.length > 0 && html` <code>${media.map(({ type }) => type).join(", ")}</code>`
      }</summary>${media.map(
        ({ type, schema }) =>
          html`${media.length > 1 && html`<p class="limits"><code>${type}</code></p>`}${shapeHtml(shapeOf(document, schema))}`,
      )}${headersHtml(document, headers)}</details>`,
  )}`;

const headersHtml = (document: OpenApi, names: readonly string[]): Html =>
  names.length === 0
    ? NOTHING
    : html`<details><summary>Headers</summary>${membersHtml(names.map((name) => headerMember(document, name)))}</details>`;

/** A header of an answer, which the document describes once. */
function headerMember(document: OpenApi, name: string): Member {
  const { schema, description } = resolved<Header>(document, { $ref: `#/components/headers/${name}` });
  return {
    name,
    isRequired: false,
    shape: { ...shapeOf(document, schema), ...(description !== undefined && { description }) },
  };
}

function refusalsHtml(document: OpenApi, { operation }: Endpoint, titleOf: (code: string) => string): Html {
  const refusals = refusalsOf(document, operation);
  const count = new Set(refusals.flatMap(({ codes }) => codes)).size;
  return html`<h3>Refusals</h3><details class="answer"><summary>${count} problems, as <code>application/problem+json</code></summary>
<table tabindex="0"><thead><tr><th scope="col">status</th><th scope="col">code</th><th scope="col">meaning</th></tr></thead><tbody>${refusals.map(
    ({ status, codes }) =>
      codes.map(
        (code, index) =>
          html`<tr><td>${index === 0 && (status === "default" ? "any" : status)}</td><td><a href="/docs/errors/${code}"><code>${code}</code></a></td><td>${titleOf(code)}</td></tr>`,
      ),
  )}</tbody></table>
<p class="limits">What a problem has besides: <a href="/docs/api/problems">members of problems</a>.</p>${headersHtml(
    document,
    [...new Set(refusals.flatMap(({ headers }) => headers))],
  )}</details>`;
}

/** The call in each language. Which one is shown is a choice of the style sheet, so it needs no script. */
function codeHtml(document: OpenApi, endpoint: Endpoint): Html {
  const { operationId: id, summary } = endpoint.operation;
  const examples = inEachLanguage(callOf(document, endpoint), EXAMPLE_ORIGIN);
  return html`<div class="code" role="group" aria-label="Call: ${summary}">
<div class="tabs" role="radiogroup" aria-label="Language">${examples.map(
    (example, index) =>
      html`<label><input type="radio" name="language-${id}" value="${example.id}"${index === 0 && html` checked`}> ${example.name}</label>`,
  )}</div>
${examples.map((example) => html`<pre class="${example.id}" tabindex="0"><code>${example.text}</code></pre>`)}
</div>`;
}

const moreBodies = (bodies: readonly NamedExample[]): Html =>
  html`${bodies.slice(1).map(({ summary, value }) => folded(`Body: ${summary}`, value, false))}`;

const answerExamples = (answers: readonly Answer[]): Html =>
  html`${answers
    .flatMap(({ status, media }) => media.flatMap(({ examples }) => examples.map((each) => ({ status, ...each }))))
    .map(({ status, summary, value }, index) => folded(`${status} · ${summary}`, value, index === 0))}`;

const folded = (title: string, value: unknown, isOpen: boolean): Html =>
  html`<details class="example"${isOpen && html` open`}><summary>${title}</summary><pre tabindex="0"><code>${
    typeof value === "string" ? value : JSON.stringify(value, null, 2)
  }</code></pre></details>`;

/** What the page's script makes a form of; without one there is nothing to try. */
function tryHtml(document: OpenApi, endpoint: Endpoint): Html {
  const { method, path, operation } = endpoint;
  const why = whyNotTried(document, endpoint);
  if (why !== undefined) return html`<p class="untried">Not tried from this page. ${why}</p>`;
  const asked = {
    id: operation.operationId,
    method,
    path,
    isPublic: isPublic(operation),
    scope: operation["x-scope"] ?? null,
    sendsKey: operation["x-idempotency"] !== "none" && operation["x-idempotency"] !== undefined,
    parameters: PLACES.slice(0, 2).flatMap(([place]) =>
      parametersIn(document, operation, place).map((parameter) => ({
        name: parameter.name,
        place,
        isRequired: parameter.required ?? false,
        example: place === "path" || parameter.required ? exampleOf(document, parameter) : "",
      })),
    ),
    bodies: bodiesOf(document, operation),
  };
  return html`<div class="try" hidden data-operation="${JSON.stringify(asked)}"></div>`;
}
