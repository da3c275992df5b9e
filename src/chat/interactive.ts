import type { Fault } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { hasVisible } from "../kernel/visible.ts";
import type { ChatInteractive } from "../ports/chat-payload.ts";
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
  const most = type === "list" ? LIMITS.list.body : LIMITS.interactive.body;
  if ([...body].length > most)
    faults.push({
      pointer: "/body",
      code: "too_long",
      detail: `\`body\` has ${[...body].length} characters; with type "${type}" ${most} is the most.`,
    });
  const titles = placed(buttons, "/buttons", "title");
  faults.push(...uniqueFaults(placed(buttons, "/buttons", "id")), ...uniqueFaults(titles), ...labelFaults(titles));
  if (list) faults.push(...listFaults(list));
  if (link) faults.push(...labelFaults([["/cta_url/label", link.label]]), ...linkFaults(link.url));
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
    text === undefined || hasVisible(text)
      ? []
      : [{ pointer, code: "too_short", detail: `\`${pointer.slice(pointer.lastIndexOf("/") + 1)}\` is empty.` }],
  );

type Placed = readonly (readonly [pointer: string, value: string])[];

const placed = <Field extends string>(
  items: readonly Readonly<Record<Field, string>>[] | undefined,
  at: string,
  field: Field,
): Placed => (items ?? []).map((item, index) => [`${at}/${index}/${field}`, item[field]]);

/** What stands on one line to be pressed. */
const labelFaults = (labels: Placed): Fault[] =>
  labels.flatMap(([pointer, label]) => [
    ...blankFaults({ [pointer]: label }),
    ...(/[\r\n\t]/.test(label) ? [brokenLine(pointer)] : []),
  ]);

const brokenLine = (pointer: string): Fault => ({
  pointer,
  code: "wrong_format",
  detail: "It must not have a line break or a tab.",
});

/** The second of two that must differ; to the eye, spaces around them are no difference. */
function uniqueFaults(values: Placed): Fault[] {
  const first = new Map<string, string>();
  return values.flatMap(([pointer, text]) => {
    const value = text.trim();
    const earlier = first.get(value);
    if (earlier === undefined) {
      first.set(value, pointer);
      return [];
    }
    return [{ pointer, code: "repeated", detail: `It is the same as ${earlier}; each needs its own.` }];
  });
}

function listFaults({ button, sections }: NonNullable<InteractiveRequest["list"]>): Fault[] {
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
  const inRows = (field: "id" | "title") =>
    sections.flatMap((section, index) => placed(section.rows, `/list/sections/${index}/rows`, field));
  const sectionTitles = sections.flatMap(
    ({ title }, index): Placed => (title === undefined ? [] : [[`/list/sections/${index}/title`, title]]),
  );
  const labels: Placed = [["/list/button", button], ...sectionTitles, ...inRows("title")];
  return [...faults, ...uniqueFaults(inRows("id")), ...labelFaults(labels)];
}

function linkFaults(url: string): Fault[] {
  const parsed = URL.parse(url);
  return parsed?.protocol === "https:" && !/\s/.test(url)
    ? []
    : [
        {
          pointer: "/cta_url/url",
          code: "wrong_format",
          detail: "`url` must be an address that begins with https://.",
        },
      ];
}
