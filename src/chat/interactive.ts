import type { ChatInteractive } from "../kernel/chat-payload.ts";
import type { Fault } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { LIMITS } from "./limits.ts";

/** Buttons, a list of rows or a link under a message, as they are asked for. The form and all lengths are the schema's. */
export interface InteractiveRequest {
  readonly type: "buttons" | "list" | "cta_url";
  readonly body: string;
  readonly header?: string;
  readonly footer?: string;
  readonly buttons?: readonly { readonly id: string; readonly title: string }[];
  readonly list?: {
    readonly button: string;
    readonly sections: readonly {
      readonly title?: string;
      readonly rows: readonly { readonly id: string; readonly title: string; readonly description?: string }[];
    }[];
  };
  readonly cta_url?: { readonly label: string; readonly url: string };
}

const KINDS = ["buttons", "list", "cta_url"] as const;

/** What the schema can't say: what belongs together, and what must differ. All faults at once. */
export function readInteractive(request: InteractiveRequest): Result<ChatInteractive, readonly Fault[]> {
  const { type, body, header, footer, buttons, list, cta_url: link } = request;
  const faults: Fault[] = [];
  for (const kind of KINDS) {
    if (kind === type && request[kind] === undefined)
      faults.push({ pointer: `/${kind}`, code: "required", detail: `\`${kind}\` is required with type "${type}".` });
    if (kind !== type && request[kind] !== undefined)
      faults.push({
        pointer: `/${kind}`,
        code: "unknown_field",
        detail: `\`${kind}\` does not go with type "${type}".`,
      });
  }
  faults.push(...blankFaults({ "/body": body, "/header": header, "/footer": footer }));
  faults.push(
    ...uniqueFaults(placed(buttons, "/buttons", "id")),
    ...uniqueFaults(placed(buttons, "/buttons", "title")),
  );
  if (list) faults.push(...listFaults(list));
  if (link) faults.push(...linkFaults(link.url));
  const action =
    type === "buttons" && buttons
      ? ({ kind: "buttons", buttons } as const)
      : type === "list" && list
        ? ({ kind: "list", ...list } as const)
        : type === "cta_url" && link
          ? ({ kind: "cta_url", ...link } as const)
          : undefined;
  if (faults.length > 0 || !action) return refuse(faults);
  return ok({
    type: "interactive",
    body,
    ...(header !== undefined && { header }),
    ...(footer !== undefined && { footer }),
    action,
  });
}

/** Texts that hold nothing to be seen, by their places. */
export const blankFaults = (texts: Readonly<Record<string, string | undefined>>): Fault[] =>
  Object.entries(texts).flatMap(([pointer, text]) =>
    text === undefined || /\S/.test(text)
      ? []
      : [{ pointer, code: "too_short", detail: `\`${pointer.slice(1)}\` is empty.` }],
  );

type Placed = readonly (readonly [pointer: string, value: string])[];

const placed = <Field extends string>(
  items: readonly Readonly<Record<Field, string>>[] | undefined,
  at: string,
  field: Field,
): Placed => (items ?? []).map((item, index) => [`${at}/${index}/${field}`, item[field]]);

/** The second of two that must differ. */
function uniqueFaults(values: Placed): Fault[] {
  const first = new Map<string, string>();
  return values.flatMap(([pointer, value]) => {
    const earlier = first.get(value);
    if (earlier === undefined) {
      first.set(value, pointer);
      return [];
    }
    return [{ pointer, code: "repeated", detail: `It is the same as ${earlier}; each needs its own.` }];
  });
}

function listFaults({ sections }: NonNullable<InteractiveRequest["list"]>): Fault[] {
  const faults: Fault[] = [];
  const rows = sections.reduce((total, section) => total + section.rows.length, 0);
  if (rows > LIMITS.list.rows)
    faults.push({
      pointer: "/list/sections",
      code: "too_many",
      detail: `The sections have ${rows} rows together; at most ${LIMITS.list.rows} are allowed.`,
    });
  for (const [index, { title }] of sections.entries())
    if (sections.length > 1 && title === undefined)
      faults.push({
        pointer: `/list/sections/${index}/title`,
        code: "required",
        detail: "Each section needs a title when there is more than one.",
      });
  const ids = sections.flatMap((section, index) => placed(section.rows, `/list/sections/${index}/rows`, "id"));
  return [...faults, ...uniqueFaults(ids)];
}

function linkFaults(url: string): Fault[] {
  const parsed = URL.parse(url);
  return parsed?.protocol === "https:"
    ? []
    : [
        {
          pointer: "/cta_url/url",
          code: "wrong_format",
          detail: "`url` must be an address that begins with https://.",
        },
      ];
}
