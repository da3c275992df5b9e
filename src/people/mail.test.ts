import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { after, test } from "node:test";
import { newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { type LogLine, StandingClock } from "../testing/http-rig.ts";
import { linksIn, makeMailer } from "./mail.ts";
import { invitationMail, knownAddressMail, resetMail, verificationMail } from "./mails.ts";
import { listMails } from "./outbox.repo.ts";

const database = await makeTestDatabase();
const db = database.open();
const clock = new StandingClock();
const lines: LogLine[] = [];
const write = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message });
const log = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };

/** A mail server (RFC 5321) that takes what it is given, or refuses every recipient. */
async function makeMailServer({ refuses = false } = {}) {
  const received: { readonly commands: string[]; text: string }[] = [];
  const server = createServer((socket: Socket) => {
    const mail: (typeof received)[number] = { commands: [], text: "" };
    let inText = false;
    let rest = "";
    socket.on("error", () => undefined);
    socket.write("220 mail.test\r\n");
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      const all = (rest + chunk).split("\r\n");
      rest = all.pop()!;
      for (const line of all) {
        if (inText && line !== ".") mail.text += `${line}\n`;
        else if (inText) {
          inText = false;
          received.push(mail);
          socket.write("250 taken\r\n");
        } else {
          mail.commands.push(line);
          inText = line === "DATA";
          const isRefused = refuses && line.startsWith("RCPT");
          socket.write(inText ? "354 go on\r\n" : isRefused ? `550 nobody here: ${line}\r\n` : "250 ok\r\n");
          if (line === "QUIT") socket.end();
        }
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => server.close());
  return { received, url: `smtp://127.0.0.1:${(server.address() as { port: number }).port}` };
}

const MAIL = verificationMail("ada@example.com", "https://portal.example.ng", "tok.en");

test("in production a mail goes to the mail server, from whom the operator says", async () => {
  const server = await makeMailServer();
  const mailer = makeMailer({ db, clock, log, settings: { smtpUrl: server.url, from: "Afara <portal@example.ng>" } });
  mailer.send(MAIL);
  await mailer.idle();
  const [mail] = server.received;
  assert.ok(mail);
  assert.ok(mail.commands.includes("MAIL FROM:<portal@example.ng>"));
  assert.ok(mail.commands.includes("RCPT TO:<ada@example.com>"));
  assert.match(mail.text, /^From: Afara <portal@example\.ng>$/m);
  assert.match(mail.text, /^Subject: Confirm your address for Afara$/m);
  assert.deepEqual(await listMails(db), []);
});

test("a mail that is refused is logged without the address, and disturbs nobody", async () => {
  const server = await makeMailServer({ refuses: true });
  const mailer = makeMailer({ db, clock, log, settings: { smtpUrl: server.url, from: "portal@example.ng" } });
  lines.length = 0;
  mailer.send(MAIL);
  await mailer.idle();
  assert.deepEqual(
    lines.map(({ level, message }) => [level, message]),
    [["error", "a mail was not sent"]],
  );
  assert.doesNotMatch(JSON.stringify(lines), /ada@/);
});

test("without a mail server the last fifty mails stand in the outbox, the newest first, and their links in the log", async () => {
  const mailer = makeMailer({ db, clock, log, settings: undefined });
  lines.length = 0;
  for (let count = 1; count <= 53; count++) {
    mailer.send({ ...MAIL, subject: `mail ${count}` });
    await mailer.idle();
  }
  const kept = await listMails(db);
  assert.deepEqual([kept.length, kept[0]!.subject, kept.at(-1)!.subject], [50, "mail 53", "mail 4"]);
  assert.partialDeepStrictEqual(lines[0], {
    level: "info",
    fields: { to: "ada@example.com", links: linksIn(MAIL.text) },
  });
});

test("each mail has one link, whole, to our own address", () => {
  const origin = "https://portal.example.ng";
  const invitation = { id: newUuid(), email: "a+b@example.com", role: "viewer" as const };
  const named = { ...invitation, accountName: "Win\r\nhttps://evil.example/x?a=b www.evil.example @x <b>" };
  for (const mail of [
    verificationMail("a@example.com", origin, "a.b-c_d"),
    knownAddressMail("a@example.com", origin),
    resetMail("a@example.com", origin, "abc"),
    invitationMail("a+b@example.com", origin, named),
  ]) {
    const links = linksIn(mail.text);
    assert.equal(links.length, 1, mail.text);
    assert.equal(new URL(links[0]!).origin, origin);
    assert.doesNotMatch(mail.text, /evil\.example|<b>/);
    assert.ok(mail.text.split("\n").includes(links[0]!), "the link has a line of its own");
  }
});
