import {
  answersOf,
  bodiesOf,
  exampleOf,
  IDEMPOTENCY_KEY,
  isPublic,
  JSON_TYPE,
  type NamedExample,
  needsKey,
} from "./calls.ts";
import { type Endpoint, endpointsOf, type OpenApi, parametersIn } from "./openapi.ts";
import { EXAMPLE_ORIGIN } from "./operation-html.ts";

/** Postman's format 2.1: https://schema.postman.com/collection/json/v2.1.0/draft-07/collection.json */
const FORMAT = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/**
 * The API as a collection for Postman and its like: a folder for each group, a request for each operation with its first example as
 * the body, its other examples and answers beside it. `origin`: what `baseUrl` is until it is changed.
 */
export const postmanCollection = (document: OpenApi, origin = EXAMPLE_ORIGIN) => ({
  info: {
    name: `${document.info.title} ${document.info.version}`,
    description: "Set `apiKey` to a test key, and `baseUrl` to your gateway.",
    schema: FORMAT,
  },
  auth: {
    type: "apikey",
    apikey: [
      { key: "key", value: "X-API-Key", type: "string" },
      { key: "value", value: "{{apiKey}}", type: "string" },
      { key: "in", value: "header", type: "string" },
    ],
  },
  variable: [
    { key: "baseUrl", value: origin, type: "string" },
    { key: "apiKey", value: "", type: "string" },
    ...idsOf(document).map(({ name, example }) => ({ key: name, value: example, type: "string" })),
  ],
  event: [{ listen: "test", script: { type: "text/javascript", exec: keepIds(idsOf(document)).split("\n") } }],
  item: document.tags.map(({ name, description }) => ({
    name,
    ...(description !== undefined && { description }),
    // What is deleted is deleted last, so that a folder runs through.
    item: endpointsOf(document)
      .filter(({ operation }) => operation.tags[0] === name)
      .sort((a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"))
      .map((endpoint) => itemOf(document, endpoint)),
  })),
});

interface IdOf {
  readonly name: string;
  readonly example: string;
}

const PREFIX = /^[a-z]+(?=_[0-9a-z]{26}$)/;

/** The parameters that are ids of what other requests make. */
function idsOf(document: OpenApi): readonly IdOf[] {
  const parameters = endpointsOf(document).flatMap(({ operation }) => parametersIn(document, operation, "path"));
  const ids = new Map(parameters.map((parameter) => [parameter.name, exampleOf(document, parameter)]));
  return [...ids].flatMap(([name, example]) => (PREFIX.test(example) ? [{ name, example }] : []));
}

/** Run after each answer: what was made is what the next requests are about. */
function keepIds(ids: readonly IdOf[]): string {
  const byPrefix = Object.groupBy(ids, ({ example }) => PREFIX.exec(example)?.[0] ?? "");
  const names = Object.entries(byPrefix).map(([prefix, same = []]) => [prefix, same.map(({ name }) => name)]);
  return `const names = ${JSON.stringify(Object.fromEntries(names))};
const isJson = /json/.test(pm.response.headers.get("Content-Type"));
const { id } = pm.response.code < 300 && isJson ? pm.response.json() : {};
for (const name of names[String(id).split("_")[0]] || []) pm.collectionVariables.set(name, id);`;
}

function itemOf(document: OpenApi, endpoint: Endpoint) {
  const { operation } = endpoint;
  const [first, ...others] = bodiesOf(document, operation);
  const request = requestOf(document, endpoint, first);
  const answers = answersOf(document, operation).flatMap(({ status, description, media }) =>
    media.flatMap(({ type, examples }) => examples.map((example) => ({ status, description, type, ...example }))),
  );
  const [answer] = answers;
  return {
    name: operation.summary,
    request,
    response: [
      ...answers.map((each) => responseOf(request, each)),
      // Further bodies, each with the answer that is documented: Postman keeps requests only beside answers.
      ...others.map((body) =>
        responseOf(requestOf(document, endpoint, body), { ...(answer ?? NO_ANSWER), summary: `Body: ${body.summary}` }),
      ),
    ],
  };
}

const NO_ANSWER = { status: "204", description: "Done", type: "text/plain", value: "" };

const responseOf = (
  originalRequest: object,
  answer: NamedExample & { readonly status: string; readonly description: string; readonly type: string },
) => ({
  name: answer.summary,
  originalRequest,
  code: Number(answer.status),
  status: answer.description,
  header: [{ key: "Content-Type", value: answer.type }],
  body: textOf(answer.value),
});

function requestOf(document: OpenApi, { method, path, operation }: Endpoint, body: NamedExample | undefined) {
  // Postman's own `:name` takes whole steps only; within one, as in `{webhook_id}.json`, stands a variable of the collection.
  const steps = path
    .slice(1)
    .split("/")
    .map((step) => step.replace(/^\{(\w+)\}$/, ":$1").replaceAll(/\{(\w+)\}/g, "{{$1}}"));
  const variable = parametersIn(document, operation, "path").map((parameter) => {
    const example = exampleOf(document, parameter);
    const value = PREFIX.test(example) ? `{{${parameter.name}}}` : example;
    return { key: parameter.name, value, ...described(parameter) };
  });
  const query = parametersIn(document, operation, "query").map((parameter) => ({
    key: parameter.name,
    value: exampleOf(document, parameter),
    disabled: !parameter.required,
    ...described(parameter),
  }));
  const isForm = operation.requestBody?.content["multipart/form-data"] !== undefined;
  return {
    method,
    ...described(operation),
    ...(isPublic(operation) && { auth: { type: "noauth" } }),
    header: [
      ...parametersIn(document, operation, "header").map((parameter) => ({
        key: parameter.name,
        value: parameter.name === IDEMPOTENCY_KEY ? "{{$guid}}" : exampleOf(document, parameter),
        disabled: !(parameter.name === IDEMPOTENCY_KEY && needsKey(operation, body?.value)),
        ...described(parameter),
      })),
      ...(body ? [{ key: "Content-Type", value: JSON_TYPE }] : []),
    ],
    url: {
      raw: `{{baseUrl}}/${steps.join("/")}`,
      host: ["{{baseUrl}}"],
      path: steps,
      ...(query.length > 0 && { query }),
      ...(variable.length > 0 && { variable }),
    },
    ...(body && { body: { mode: "raw", raw: textOf(body.value), options: { raw: { language: "json" } } } }),
    ...(isForm && { body: { mode: "formdata", formdata: [{ key: "file", type: "file", src: [] }] } }),
  };
}

const described = ({ description }: { readonly description?: string }) => description !== undefined && { description };

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2));
