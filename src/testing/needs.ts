import { spawnSync } from "node:child_process";

/** Debian packages that only some tests need: the command that runs when the package is there. */
const PROOFS = {
  chromium: { package: "chromium", command: ["chromium", "--version"] },
  curl: { package: "curl", command: ["curl", "--version"] },
  kannel: { package: "kannel", command: ["/usr/sbin/bearerbox", "--version"] },
  "net-smpp": { package: "libnet-smpp-perl", command: ["perl", "-MNet::SMPP", "-e1"] },
  php: { package: "php-cli", command: ["php", "--version"] },
  prometheus: { package: "prometheus", command: ["promtool", "--version"] },
  python: { package: "python3", command: ["python3", "--version"] },
  redis: { package: "redis-server", command: ["redis-server", "--version"] },
  wrk: { package: "wrk", command: ["sh", "-c", "command -v wrk"] }, // asked for its version it ends with 1
} as const satisfies Record<string, { package: string; command: readonly [string, ...string[]] }>;

const answers = new Map<keyof typeof PROOFS, string | false>();

/** For the `skip` option of a test: false when the package is there, else the reason to skip. Looked up once. */
export function needs(name: keyof typeof PROOFS): string | false {
  let answer = answers.get(name);
  if (answer === undefined) {
    const { package: packageName, command } = PROOFS[name];
    const [program, ...args] = command;
    const isThere = spawnSync(program, args, { stdio: "ignore" }).status === 0;
    answer = isThere ? false : `needs Debian's ${packageName} (apt-get install ${packageName})`;
    answers.set(name, answer);
  }
  return answer;
}
