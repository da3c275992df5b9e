/** A body as JSON; the API takes amounts as texts, too. */
type Json = string | readonly Json[] | { readonly [name: string]: Json };

/** A call of the API, as the examples show it. */
export interface Call {
  readonly path: string;
  readonly body: Readonly<Record<string, Json>>;
  /** Purchases have one: the same call under it buys nothing twice. */
  readonly idempotencyKey?: string;
}

interface Example {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** `afara_test_Ab12••••wxyz` */
export const maskedKey = (key: string): string => `${key.slice(0, 15)}••••${key.slice(-4)}`;

const PLACEHOLDER = "YOUR_TEST_KEY";

export function inEachLanguage({ path, body, idempotencyKey }: Call, apiKey = PLACEHOLDER): readonly Example[] {
  const url = `${location.origin}${path}`;
  const json = JSON.stringify(body, null, 2);
  const own = { "X-API-Key": apiKey, ...(idempotencyKey && { "Idempotency-Key": idempotencyKey }) };
  const headers = Object.entries({ ...own, "Content-Type": "application/json" });
  return [
    {
      id: "curl",
      name: "curl",
      text: `curl ${url} \\
${headers.map(([name, value]) => `  -H '${name}: ${value}' \\\n`).join("")}  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
    },
    {
      id: "typescript",
      name: "TypeScript",
      text: `const response = await fetch("${url}", {
  method: "POST",
  headers: {
${headers.map(([name, value]) => `    "${name}": "${value}",\n`).join("")}  },
  body: JSON.stringify(${json.replaceAll("\n", "\n  ")}),
});
console.log(await response.json());`,
    },
    {
      id: "python",
      name: "Python",
      text: `import requests

response = requests.post(
    "${url}",
    headers=${JSON.stringify(own, null, 4).replaceAll("\n", "\n    ")},
    json=${json.replaceAll("\n", "\n    ")},
)
print(response.json())`,
    },
    {
      id: "php",
      name: "PHP",
      text: `<?php
$call = curl_init("${url}");
curl_setopt_array($call, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
${headers.map(([name, value]) => `        "${name}: ${value}",\n`).join("")}    ],
    CURLOPT_POSTFIELDS => json_encode(${phpValue(body, "    ")}),
]);
echo curl_exec($call);`,
    },
  ];
}

function phpValue(value: Json, indent: string): string {
  if (typeof value === "string") return phpText(value);
  const inner = `${indent}    `;
  const isList = Array.isArray(value);
  const lines = Object.entries(value).map(
    ([name, one]: [string, Json]) => `${inner}${isList ? "" : `"${name}" => `}${phpValue(one, inner)},\n`,
  );
  return `[\n${lines.join("")}${indent}]`;
}

const phpText = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
