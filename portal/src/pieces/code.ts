/** A call of the API, as the examples show it. */
export interface Call {
  readonly method: string;
  /** With the query, if there is one. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The name of a file that is sent as a form's field `file`. */
  readonly file?: string;
  /** Whether it needs no key. */
  readonly isPublic?: boolean;
}

interface Example {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** `afara_test_Ab12••••wxyz` */
export const maskedKey = (key: string): string => `${key.slice(0, 15)}••••${key.slice(-4)}`;

const PLACEHOLDER = "YOUR_TEST_KEY";

/** The call in each language, ready to be pasted. `origin`: of the gateway. */
export function inEachLanguage(call: Call, origin: string, apiKey = PLACEHOLDER): readonly Example[] {
  const url = `${origin}${call.path}`;
  const headers = {
    ...(!call.isPublic && { "X-API-Key": apiKey }),
    ...(call.body !== undefined && { "Content-Type": "application/json" }),
    ...call.headers,
  };
  const { "Content-Type": _, ...withoutType } = headers as Record<string, string>;
  return [
    { id: "curl", name: "curl", text: inCurl(call, url, headers) },
    { id: "typescript", name: "TypeScript", text: inTypeScript(call, url, headers) },
    { id: "python", name: "Python", text: inPython(call, url, withoutType) },
    { id: "php", name: "PHP", text: inPhp(call, url, headers) },
  ];
}

type Headers = Readonly<Record<string, string>>;

function inCurl({ method, body, file }: Call, url: string, headers: Headers): string {
  const hasData = body !== undefined || file !== undefined;
  const options = [
    ...(method === (hasData ? "POST" : "GET") ? [] : [`-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellText(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${shellText(JSON.stringify(body))}`]),
    ...(file === undefined ? [] : [`-F ${shellText(`file=@${file}`)}`]),
  ];
  return [`curl ${/[?&]/.test(url) ? shellText(url) : url}`, ...options].join(" \\\n  ");
}

function inTypeScript({ method, body, file }: Call, url: string, headers: Headers): string {
  const lines = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(Object.keys(headers).length === 0 ? [] : [`headers: ${onOneLine(headers)}`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(asJson(body), 2)})`]),
    ...(file === undefined ? [] : ["body: form"]),
  ];
  const options = lines.length === 0 ? "" : `, {\n${lines.map((line) => `  ${line},\n`).join("")}}`;
  const form = file && `const form = new FormData();\nform.set("file", await openAsBlob("${file}"), "${file}");\n`;
  return `${form ? `import { openAsBlob } from "node:fs";\n\n${form}` : ""}const response = await fetch("${url}"${options});
console.log(await response.text());`;
}

function inPython({ method, body, file }: Call, url: string, headers: Headers): string {
  const lines = [
    `"${url}"`,
    ...(Object.keys(headers).length === 0 ? [] : [`headers=${asLiteral(headers, PYTHON, 4)}`]),
    ...(body === undefined ? [] : [`json=${asLiteral(body, PYTHON, 4)}`]),
    ...(file === undefined ? [] : [`files={"file": open("${file}", "rb")}`]),
  ];
  return `import requests

response = requests.${method.toLowerCase()}(
${lines.map((line) => `    ${line},\n`).join("")})
print(response.text)`;
}

function inPhp({ method, body, file }: Call, url: string, headers: Headers): string {
  const shown = Object.entries(headers).map(([name, value]) => phpText(`${name}: ${value}`));
  const options = [
    ...(method === "GET" ? [] : [`CURLOPT_CUSTOMREQUEST => "${method}"`]),
    "CURLOPT_RETURNTRANSFER => true",
    ...(shown.length === 0 ? [] : [`CURLOPT_HTTPHEADER => [${shown.join(", ")}]`]),
    ...(body === undefined ? [] : [`CURLOPT_POSTFIELDS => json_encode(${asLiteral(body, PHP, 4)})`]),
    ...(file === undefined ? [] : [`CURLOPT_POSTFIELDS => ["file" => new CURLFile("${file}")]`]),
  ];
  return `<?php
$call = curl_init("${url}");
curl_setopt_array($call, [
${options.map((option) => `    ${option},\n`).join("")}]);
echo curl_exec($call);`;
}

const asJson = (value: unknown): string => JSON.stringify(value, null, 2);
const indented = (text: string, by: number): string => text.replaceAll("\n", `\n${" ".repeat(by)}`);
const onOneLine = (headers: Headers): string =>
  `{ ${Object.entries(headers)
    .map(([name, value]) => `"${name}": "${value}"`)
    .join(", ")} }`;
const shellText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const phpText = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

interface Literals {
  readonly text: (text: string) => string;
  readonly words: Readonly<Record<string, string>>;
  readonly list: readonly [open: string, close: string];
  readonly map: readonly [open: string, arrow: string, close: string];
}

const PYTHON: Literals = {
  text: (text) => JSON.stringify(text),
  words: { true: "True", false: "False", null: "None" },
  list: ["[", "]"],
  map: ["{", ": ", "}"],
};
const PHP: Literals = {
  text: phpText,
  words: { true: "true", false: "false", null: "null" },
  list: ["[", "]"],
  map: ["[", " => ", "]"],
};

/** A value of JSON as the language writes it, on lines of their own below a line that is indented by so much. */
function asLiteral(value: unknown, language: Literals, by: number): string {
  if (typeof value === "string") return language.text(value);
  if (typeof value !== "object" || value === null) return language.words[String(value)] ?? String(value);
  const [inner, outer] = [" ".repeat(by + 4), " ".repeat(by)];
  const isList = Array.isArray(value);
  const [open, close] = isList ? language.list : [language.map[0], language.map[2]];
  const entries = isList
    ? value.map((one) => asLiteral(one, language, by + 4))
    : Object.entries(value).map(
        ([name, one]) => `${language.text(name)}${language.map[1]}${asLiteral(one, language, by + 4)}`,
      );
  if (entries.length === 0) return `${open}${close}`;
  return `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join("")}${outer}${close}`;
}
