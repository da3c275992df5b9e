import { hash } from "node:crypto";
import type { Database } from "../db/database.ts";
import type { FetchedFile, FetchFile } from "../egress/fetch-file.ts";
import { EGRESS_FAULTS } from "../egress/guard.ts";
import type { Clock } from "../kernel/clock.ts";
import { DAY_MS } from "../kernel/duration.ts";
import { decodeId, newUuid } from "../kernel/ids.ts";
import { type Fault, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { ChatMedia, MediaKind } from "../ports/chat-payload.ts";
import type { Provider } from "../ports/provider.ts";
import {
  findFetched,
  findMedia,
  forgetExpiredMedia,
  insertMedia,
  keepFetched,
  type StoredMedia,
} from "./media.repo.ts";
import { declaredType, MEDIA_KINDS, typeOfBytes, wrongType } from "./media-kinds.ts";
import type { ChatNumber } from "./numbers.repo.ts";
import type { NumberOwner } from "./numbers.service.ts";
import { readUpload } from "./read-upload.ts";
import { makeUploadBudget, NO_ROOM, type Reserve } from "./upload-budget.ts";

/** Files on their way to people: uploads, and what subscribers link to. */
export interface Media {
  /** Looks at a file and stores it with the number's vendor. */
  upload(owner: NumberOwner, number: ChatNumber, file: UploadedFile): Promise<Result<StoredMedia>>;
  /** What the vendor is to send: an upload of the account's, or what is behind a link. */
  resolve(owner: NumberOwner, number: ChatNumber, wanted: WantedMedia): Promise<Result<ResolvedMedia, Fault>>;
  /** A job: what vendors have thrown away is forgotten. */
  forgetExpired(): Promise<void>;
}

export interface UploadedFile {
  readonly stream: AsyncIterable<Buffer>;
  readonly contentType: string | undefined;
  readonly filename: string | undefined;
}

export interface WantedMedia {
  readonly kind: MediaKind;
  /** Exactly one of the two. */
  readonly mediaId?: string;
  readonly url?: string;
  /** Where it stands in the body. */
  readonly pointer: string;
}

export interface ResolvedMedia {
  readonly media: ChatMedia;
  readonly media_id?: string;
  readonly media_url?: string;
}

export interface MediaOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly providers: ReadonlyMap<string, Pick<Provider, "uploadMedia">>;
  readonly fetchFile: FetchFile;
  /** What becomes of links: given to the vendor once they were looked at, or fetched and stored with it by us. */
  readonly links: "link" | "fetch";
}

/** Meta keeps uploads for 30 days; a day is left for those that wait to be sent. */
const KEPT_MS = 29 * DAY_MS;
/** Meta fetches a link anew after 10 minutes; for so long a look at it stands. */
const LOOK_STANDS_MS = 600_000;
const LOOKS_MAX = 1_000;
/** Under way at once, of at most 100 MB each. */
const FILES_AN_ACCOUNT = 4;
/** In memory at once; on its way to the vendor a file is there two or three times. */
const BYTES_MAX = 210 * 1_048_576;

export function makeMedia({ db, clock, providers, fetchFile, links }: MediaOptions): Media {
  const looks = new Map<string, { readonly at: number; readonly media: ChatMedia }>();
  const room = makeUploadBudget({ filesAnAccount: FILES_AN_ACCOUNT, bytesMax: BYTES_MAX });

  const uploadMedia = (provider: string, bytes: Buffer, mimeType: string, filename: string | undefined) =>
    providers.get(provider)?.uploadMedia?.({ bytes, mimeType, ...(filename !== undefined && { filename }) });

  const byId = async (owner: NumberOwner, number: ChatNumber, wanted: WantedMedia, mediaId: string) => {
    const id = decodeId("med", mediaId);
    const found = id && (await findMedia(db, { ...owner, id, now: clock.now() }));
    if (!found || found.provider !== number.provider)
      return refuse(
        refused(wanted.pointer, "There is no such upload in this account, or it has expired. Upload it again."),
      );
    if (found.kind !== wanted.kind)
      return refuse(refused(wanted.pointer, `The upload is of kind ${found.kind}, not ${wanted.kind}.`));
    return ok({ media: { kind: wanted.kind, id: found.vendorId }, media_id: mediaId });
  };

  const byLink = async (owner: NumberOwner, number: ChatNumber, wanted: WantedMedia, url: string, reserve: Reserve) => {
    const place = `${owner.mode} ${number.provider} ${wanted.kind} ${url}`;
    const look = looks.get(place);
    if (look && clock.monotonicMs() - look.at < LOOK_STANDS_MS) return ok({ media: look.media, media_url: url });
    const fetched = await fetchFile(url, {
      httpAllowed: owner.mode === "test",
      bytesMax: MEDIA_KINDS[wanted.kind].bytesMax,
      wanted: links === "fetch" ? "all" : "start",
      hold: reserve,
    });
    if (!fetched.ok)
      return refuse(
        fetched.error === "no_room" ? tooMany(wanted.pointer) : refused(wanted.pointer, EGRESS_FAULTS[fetched.error]),
      );
    const type = await typeFaultOrType(fetched.value, wanted.kind);
    if (!type.ok) return refuse(refused(wanted.pointer, type.error));
    const media: ChatMedia | undefined =
      links === "link"
        ? { kind: wanted.kind, link: url }
        : await store(number.provider, wanted.kind, fetched.value, type.value);
    if (!media) return refuse(away(wanted.pointer));
    if (looks.size >= LOOKS_MAX) looks.delete(looks.keys().next().value!);
    looks.set(place, { at: clock.monotonicMs(), media });
    return ok({ media, media_url: url });
  };

  /** Once for each content, whoever links to it. */
  const store = async (provider: string, kind: MediaKind, { bytes }: FetchedFile, type: string) => {
    const key = { provider, kind, sha256: hash("sha256", bytes, "buffer") };
    const known = await findFetched(db, key, clock.now());
    if (known !== undefined) return { kind, id: known };
    const id = await uploadMedia(provider, bytes, type, undefined);
    if (id === undefined) return undefined;
    await keepFetched(db, key, id, new Date(clock.now().getTime() + KEPT_MS));
    return { kind, id };
  };

  return {
    async upload(owner, number, { stream, contentType, filename }) {
      const stored = await room.within(owner.accountId, async (reserve) => {
        const read = await readUpload(stream, declaredType(contentType), reserve);
        if (!read.ok) return read;
        const { bytes, mimeType } = read.value;
        const vendorId = await uploadMedia(number.provider, bytes, mimeType, filename);
        return vendorId === undefined ? refuse(AWAY) : ok({ ...read.value, vendorId });
      });
      if (!stored) return refuse(NO_ROOM);
      if (!stored.ok) return stored;
      const { bytes, ...rest } = stored.value;
      const now = clock.now();
      const media: StoredMedia = {
        id: newUuid(),
        accountId: owner.accountId,
        mode: owner.mode,
        provider: number.provider,
        ...rest,
        size: bytes.length,
        sha256: hash("sha256", bytes, "buffer"),
        createdAt: now,
        expiresAt: new Date(now.getTime() + KEPT_MS),
      };
      await insertMedia(db, media);
      return ok(media);
    },

    async resolve(owner, number, wanted) {
      const { mediaId, url = "" } = wanted;
      if (mediaId !== undefined) return byId(owner, number, wanted, mediaId);
      const resolved = await room.within(owner.accountId, (reserve) => byLink(owner, number, wanted, url, reserve));
      return resolved ?? refuse(tooMany(wanted.pointer));
    },

    forgetExpired: () => forgetExpiredMedia(db, clock.now()),
  };
}

/** What is linked to must be what it says, and of the kind that it is sent as. */
async function typeFaultOrType({ bytes, contentType }: FetchedFile, kind: MediaKind): Promise<Result<string, string>> {
  const declared = declaredType(contentType);
  const type = await typeOfBytes(bytes, declared);
  if (type === undefined || (declared !== undefined && declared !== type)) return refuse(wrongType(declared, type));
  const { mimeTypes } = MEDIA_KINDS[kind];
  return mimeTypes.includes(type)
    ? ok(type)
    : refuse(`It is ${type}; as ${kind} can be sent: ${mimeTypes.join(", ")}.`);
}

const refused = (pointer: string, detail: string): Fault => ({ pointer, code: "media_refused", detail });

const away = (pointer: string): Fault => ({ pointer, code: "provider_unavailable", detail: AWAY.detail });

const tooMany = (pointer: string): Fault => ({ pointer, code: "overloaded", detail: NO_ROOM.detail });

const AWAY = refusal("provider_unavailable", "The vendor did not take the file. Nothing was stored; try again.", {
  retryAfterSeconds: 5,
});
