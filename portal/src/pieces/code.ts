/** A call of the API, as the examples show it. */
export interface Call {
  readonly method: "POST" | "GET";
  readonly path: string;
  readonly body: Readonly<Record<string, string>>;
}

interface Example {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** `afara_test_Ab12••••wxyz` */
export const maskedKey = (key: string): string => `${key.slice(0, 15)}••••${key.slice(-4)}`;

const PLACEHOLDER = "YOUR_TEST_KEY";

export function inEachLanguage({ method, path, body }: Call, apiKey = PLACEHOLDER): readonly Example[] {
  const url = `${location.origin}${path}`;
  const json = JSON.stringify(body, null, 2);
  const indented = json.replaceAll("\n", "\n  ");
  return [
    {
      id: "curl",
      name: "curl",
      text: `curl ${url} \\
  -H 'X-API-Key: ${apiKey}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
    },
    {
      id: "typescript",
      name: "TypeScript",
      text: `const response = await fetch("${url}", {
  method: "${method}",
  headers: { "X-API-Key": "${apiKey}", "Content-Type": "application/json" },
  body: JSON.stringify(${indented}),
});
console.log(await response.json());`,
    },
    {
      id: "python",
      name: "Python",
      text: `import requests

response = requests.post(
    "${url}",
    headers={"X-API-Key": "${apiKey}"},
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
    CURLOPT_HTTPHEADER => ["X-API-Key: ${apiKey}", "Content-Type: application/json"],
    CURLOPT_POSTFIELDS => json_encode([
${Object.entries(body)
  .map(([name, value]) => `        "${name}" => ${phpText(value)},`)
  .join("\n")}
    ]),
]);
echo curl_exec($call);`,
    },
  ];
}

const phpText = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
