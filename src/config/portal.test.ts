import assert from "node:assert/strict";
import { test } from "node:test";
import { readEnvironment } from "./environment.ts";
import { readPortal } from "./portal.ts";

const MAIL = { AFARA_SMTP_URL: "smtps://u:secret@mail.example.ng:465", AFARA_MAIL_FROM: "Afara <portal@example.ng>" };
const URL_ = { AFARA_PUBLIC_URL: "https://portal.example.ng" };

function read(environment: Readonly<Record<string, string>>, production = true) {
  const reader = readEnvironment(environment, production);
  return { ...readPortal(reader, production), faults: reader.faults };
}

test("address and mail server are read as they are given", () => {
  assert.deepEqual(read({ ...URL_, ...MAIL }), {
    publicUrl: "https://portal.example.ng",
    mail: { smtpUrl: MAIL.AFARA_SMTP_URL, from: MAIL.AFARA_MAIL_FROM },
    faults: [],
  });
  assert.equal(read({ AFARA_PUBLIC_URL: "https://portal.example.ng/", ...MAIL }).publicUrl, URL_.AFARA_PUBLIC_URL);
  assert.deepEqual(read({}), { publicUrl: undefined, mail: undefined, faults: [] });
  assert.deepEqual(read({ AFARA_PUBLIC_URL: "http://localhost:8080" }, false).faults, []);
});

for (const [environment, fault] of [
  [{ AFARA_PUBLIC_URL: "portal.example.ng", ...MAIL }, /^AFARA_PUBLIC_URL: must look like/],
  [{ AFARA_PUBLIC_URL: "https://portal.example.ng/afara", ...MAIL }, /^AFARA_PUBLIC_URL: must look like/],
  [{ AFARA_PUBLIC_URL: "http://portal.example.ng", ...MAIL }, /^AFARA_PUBLIC_URL: production needs HTTPS/],
  [{ ...URL_ }, /^AFARA_SMTP_URL: the portal/],
  [{ ...URL_, ...MAIL, AFARA_SMTP_URL: "mail.example.ng:465" }, /^AFARA_SMTP_URL: must look like/],
  [{ ...URL_, ...MAIL, AFARA_MAIL_FROM: "Afara" }, /^AFARA_MAIL_FROM: must look like/],
  [{ AFARA_SMTP_URL: MAIL.AFARA_SMTP_URL }, /^AFARA_MAIL_FROM: mails need both/],
  [{ AFARA_MAIL_FROM: MAIL.AFARA_MAIL_FROM }, /^AFARA_SMTP_URL: mails need both/],
] as const)
  test(`${Object.entries(environment).join(" ")} is a fault: ${fault.source}`, () => {
    const { faults } = read(environment);
    assert.equal(faults.length, 1);
    assert.match(faults[0]!, fault);
    assert.doesNotMatch(faults[0]!, /secret/);
  });
