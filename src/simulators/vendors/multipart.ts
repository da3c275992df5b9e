/** A field of a form. */
export interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly contentType?: string;
  readonly bytes: Buffer;
}

/** The parts of a `multipart/form-data` body; undefined when it is none. Source: RFC 7578. */
export function readMultipart(contentType: string, body: Buffer): readonly Part[] | undefined {
  const boundary = /^multipart\/form-data;.*\bboundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (boundary === undefined) return undefined;
  const parts: Part[] = [];
  const delimiter = Buffer.from(`--${boundary}`);
  let at = body.indexOf(delimiter);
  while (at !== -1) {
    const start = at + delimiter.length + 2; // CRLF, or the two dashes of the end
    const end = body.indexOf(delimiter, start);
    const blank = body.indexOf("\r\n\r\n", start);
    if (end === -1 || blank === -1 || blank > end) break;
    const head = body.toString("utf8", start, blank);
    const name = /\bname="([^"]*)"/i.exec(head)?.[1];
    const filename = /\bfilename="([^"]*)"/i.exec(head)?.[1];
    const type = /^content-type:\s*(\S+)/im.exec(head)?.[1];
    // The CRLF before the next delimiter is not the value's.
    const bytes = body.subarray(blank + 4, end - 2);
    if (name !== undefined)
      parts.push({
        name,
        bytes,
        ...(filename !== undefined && { filename }),
        ...(type !== undefined && { contentType: type }),
      });
    at = end;
  }
  return parts;
}
