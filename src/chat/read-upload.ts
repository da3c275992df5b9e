import { type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { MediaKind } from "../ports/chat-payload.ts";
import { kindOf, MEDIA_KINDS, typeOfBytes, wrongType } from "./media-kinds.ts";
import { NO_ROOM, type Reserve } from "./upload-budget.ts";

/** Enough to tell the type of whatever can be sent. */
const START_BYTES = 64 * 1_024;

export interface ReadUpload {
  readonly bytes: Buffer;
  readonly mimeType: string;
  readonly kind: MediaKind;
}

/**
 * Takes in an upload as long as it is what it says, not too large for its kind, and there is room for it. What is refused is read to its end all the same,
 * and dropped: who is still sending gets to see the answer.
 */
export async function readUpload(
  stream: AsyncIterable<Buffer>,
  declared: string | undefined,
  reserve: Reserve,
): Promise<Result<ReadUpload, Refusal>> {
  let chunks: Buffer[] = [];
  let size = 0;
  let type: Awaited<ReturnType<typeof look>> | undefined;
  let fault: Refusal | undefined;
  for await (const chunk of stream) {
    if (fault !== undefined) continue;
    if (!reserve(chunk.length)) fault = NO_ROOM;
    chunks.push(chunk);
    size += chunk.length;
    if (!type && size >= START_BYTES) type = await look(Buffer.concat(chunks), declared);
    if (type) fault ??= type.ok ? sizeFault(type.value.kind, size) : type.error;
    if (fault !== undefined) chunks = [];
  }
  if (fault !== undefined) return refuse(fault);
  const bytes = Buffer.concat(chunks);
  // With all of it at hand a small file is told from its very end.
  const found = type ?? (await look(bytes, declared));
  if (!found.ok) return found;
  const { kind, mimeType } = found.value;
  const tooLarge = sizeFault(kind, size);
  return tooLarge === undefined ? ok({ bytes, mimeType, kind }) : refuse(tooLarge);
}

async function look(
  start: Buffer,
  declared: string | undefined,
): Promise<Result<{ readonly kind: MediaKind; readonly mimeType: string }, Refusal>> {
  const mimeType = await typeOfBytes(start, declared);
  const kind = mimeType === undefined ? undefined : kindOf(mimeType);
  if (mimeType === undefined || kind === undefined || (declared !== undefined && declared !== mimeType))
    return refuse(refusal("media_refused", wrongType(declared, mimeType)));
  return ok({ kind, mimeType });
}

function sizeFault(kind: MediaKind, size: number): Refusal | undefined {
  const { bytesMax } = MEDIA_KINDS[kind];
  return size > bytesMax
    ? refusal("media_refused", `A file of kind ${kind} may have ${bytesMax / 1_048_576} MB at most.`)
    : undefined;
}
