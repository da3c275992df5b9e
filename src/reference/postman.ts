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
  ],
  item: document.tags.map(({ name, description }) => ({
    name,
    ...(description !== undefined && { description }),
    item: endpointsOf(document)
      .filter(({ operation }) => operation.tags[0] === name)
      .map((endpoint) => itemOf(document, endpoint)),
  })),
});

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
  const variable = parametersIn(document, operation, "path").map((parameter) => ({
    key: parameter.name,
    value: exampleOf(document, parameter),
    ...described(parameter),
  }));
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
