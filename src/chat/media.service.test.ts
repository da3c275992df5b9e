import assert from "node:assert/strict";
import { test } from "node:test";
import type { FetchedFile } from "../egress/fetch-file.ts";
import type { EgressFault } from "../egress/guard.ts";
import { encodeId, newUuid } from "../kernel/ids.ts";
import type { Result } from "../kernel/result.ts";
import type { MediaFile } from "../ports/provider.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { StandingClock } from "../testing/http-rig.ts";
import { makeMedia } from "./media.service.ts";
import type { NumberOwner } from "./numbers.service.ts";

const db = (await makeTestDatabase()).open();
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const PDF = Buffer.from("%PDF-1.7\n%âãÏÓ\n");
const HTML = Buffer.from("<!doctype html><html><body>Log in</body></html>");
const NUMBER = { number: "2347000000001", provider: "v" };
const LINK = "https://cdn.example.ng/a.png";
const MEGABYTE = 1_048_576;

function makeRig(links: "link" | "fetch" = "link") {
  const clock = new StandingClock();
  const uploads: MediaFile[] = [];
  const fetched: string[] = [];
  let file: Result<FetchedFile, EgressFault> = { ok: false, error: "dns_failed" };
  const media = makeMedia({
    db,
    clock,
    links,
    providers: new Map([["v", { uploadMedia: async (one: MediaFile) => String(uploads.push(one)) }]]),
    fetchFile: async (link) => {
      fetched.push(link);
      return file;
    },
  });
  const owner: NumberOwner = { accountId: newUuid(), mode: "test" };
  return {
    clock,
    media,
    uploads,
    fetched,
    owner,
    behindLink: (bytes: Buffer, contentType?: string) => {
      file = { ok: true, value: { bytes, contentType, size: bytes.length } };
    },
    refuses: (error: EgressFault) => {
      file = { ok: false, error };
    },
    link: (kind: "image" | "video" | "document" = "image", url = LINK) =>
      media.resolve(owner, NUMBER, { kind, url, pointer: "/url" }),
    byId: (mediaId: string, who = owner, number = NUMBER) =>
      media.resolve(who, number, { kind: "image", mediaId, pointer: "/media_id" }),
    upload: (bytes: Buffer, contentType: string | undefined) =>
      media.upload(owner, NUMBER, { stream: inChunks(bytes), contentType, filename: "a" }),
  };
}

async function* inChunks(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

const UPLOADS: readonly (readonly [what: string, bytes: Buffer, says: string | undefined, type: string | undefined])[] =
  [
    ["a PNG that says so", PNG, "image/png", "image/png"],
    ["a PNG that says nothing", PNG, "application/octet-stream", "image/png"],
    ["a PDF", PDF, "application/pdf", "application/pdf"],
    ["plain text", Buffer.from("Naïve ₦ text"), "text/plain", "text/plain"],
    ["a PNG that says JPEG", PNG, "image/jpeg", undefined],
    ["HTML that says PNG", HTML, "image/png", undefined],
    ["HTML that says text", HTML, "text/plain", undefined],
    ["bytes of no type", Buffer.from([1, 0, 2, 0, 3]), undefined, undefined],
    ["nothing at all", Buffer.alloc(0), "image/png", undefined],
    ["an image of more than 5 MB", Buffer.concat([PNG, Buffer.alloc(5 * MEGABYTE)]), "image/png", undefined],
    ["a document of 6 MB", Buffer.concat([PDF, Buffer.alloc(6 * MEGABYTE, 32)]), "application/pdf", "application/pdf"],
  ];
for (const [what, bytes, says, type] of UPLOADS)
  test(`an upload of ${what} is ${type ? `stored as ${type}` : "refused, and the vendor never sees it"}`, async () => {
    const rig = makeRig();
    const stored = await rig.upload(bytes, says);
    if (type !== undefined) {
      assert.ok(stored.ok, JSON.stringify(stored));
      assert.equal(stored.value.mimeType, type);
      assert.equal(rig.uploads[0]?.mimeType, type);
      assert.deepEqual(rig.uploads[0]?.bytes, bytes);
    } else {
      assert.ok(!stored.ok);
      assert.equal(stored.error.code, "media_refused");
      assert.deepEqual(rig.uploads, []);
    }
  });

test("an upload is its account's alone, of its kind, of its vendor, and for as long as the vendor keeps it", async () => {
  const rig = makeRig();
  const stored = await rig.upload(PNG, "image/png");
  assert.ok(stored.ok);
  const id = encodeId("med", stored.value.id);
  assert.deepEqual(await rig.byId(id), { ok: true, value: { media: { kind: "image", id: "1" }, media_id: id } });
  for (const refused of [
    await rig.byId(id, { accountId: newUuid(), mode: "test" }),
    await rig.byId(id, { ...rig.owner, mode: "live" }),
    await rig.byId(id, rig.owner, { ...NUMBER, provider: "w" }),
    await rig.byId(encodeId("med", newUuid())),
    await rig.byId("med_x"),
    await rig.media.resolve(rig.owner, NUMBER, { kind: "video", mediaId: id, pointer: "/media_id" }),
  ]) {
    assert.ok(!refused.ok);
    assert.equal(refused.error.code, "media_refused");
    assert.equal(refused.error.pointer, "/media_id");
  }
  rig.clock.advance(29 * 86_400_000);
  assert.ok(!(await rig.byId(id)).ok);
});

test("a link is looked at and left to the vendor, and the look stands for ten minutes", async () => {
  const rig = makeRig();
  rig.behindLink(PNG, "image/png");
  const wanted = { ok: true, value: { media: { kind: "image", link: LINK }, media_url: LINK } };
  assert.deepEqual(await rig.link(), wanted);
  assert.deepEqual(await rig.link(), wanted);
  assert.equal(rig.fetched.length, 1);
  assert.deepEqual(rig.uploads, []);
  rig.clock.advance(600_000);
  await rig.link();
  assert.equal(rig.fetched.length, 2);
});

test("a fetched file is stored with the vendor once for each content, whatever the links to it", async () => {
  const rig = makeRig("fetch");
  rig.behindLink(PNG, "image/png");
  assert.deepEqual(await rig.link(), {
    ok: true,
    value: { media: { kind: "image", id: "1" }, media_url: LINK },
  });
  const other = await rig.link("image", `${LINK}?again`);
  assert.ok(other.ok);
  assert.deepEqual(other.value.media, { kind: "image", id: "1" });
  assert.equal(rig.uploads.length, 1);
});

const LINKS: readonly (readonly [what: string, set: (rig: ReturnType<typeof makeRig>) => void, kind?: "video"])[] = [
  ["redirects", (rig) => rig.refuses("redirected")],
  ["resolves to a private address", (rig) => rig.refuses("blocked_address")],
  ["is too large", (rig) => rig.refuses("too_large")],
  ["says image/png and is HTML", (rig) => rig.behindLink(HTML, "image/png")],
  ["says nothing and is HTML", (rig) => rig.behindLink(HTML)],
  ["is a PNG that is sent as a video", (rig) => rig.behindLink(PNG, "image/png"), "video"],
  ["is a PDF that is sent as an image", (rig) => rig.behindLink(PDF, "application/pdf")],
];
for (const [what, set, kind] of LINKS)
  for (const links of ["link", "fetch"] as const)
    test(`a link that ${what} is refused at its place (${links})`, async () => {
      const rig = makeRig(links);
      set(rig);
      const resolved = await rig.link(kind);
      assert.ok(!resolved.ok);
      assert.equal(resolved.error.code, "media_refused");
      assert.equal(resolved.error.pointer, "/url");
      assert.deepEqual(rig.uploads, []);
    });

test("whoever sends slowly keeps no other account waiting, and is told to come again, not that the file is wrong", async () => {
  const rig = makeRig();
  const ending = Promise.withResolvers<void>();
  async function* slowly() {
    yield PNG.subarray(0, 8);
    await ending.promise;
    yield PNG.subarray(8);
  }
  const slow = Array.from({ length: 4 }, () =>
    rig.media.upload(rig.owner, NUMBER, { stream: slowly(), contentType: "image/png", filename: "a" }),
  );
  const fifth = await rig.upload(PNG, "image/png");
  assert.deepEqual(fifth.ok ? undefined : [fifth.error.code, fifth.error.retryAfterSeconds], ["overloaded", 1]);
  rig.behindLink(PNG, "image/png");
  const link = await rig.link();
  assert.equal(link.ok ? undefined : link.error.code, "overloaded");
  const other = { accountId: newUuid(), mode: "test" as const };
  assert.ok(
    (await rig.media.upload(other, NUMBER, { stream: inChunks(PNG), contentType: "image/png", filename: "a" })).ok,
  );
  ending.resolve();
  assert.ok((await Promise.all(slow)).every(({ ok }) => ok));
});
