import type { FastifyReply, FastifyRequest, FastifySchema } from "fastify";
import { refusal } from "../kernel/refusal.ts";
import { preferredType } from "./accept.ts";
import { sendRefusal } from "./refuse.ts";

export const JSON_TYPE = "application/json" as const;
export const CSV_TYPE = "text/csv";

interface Answer {
  readonly properties?: { readonly object?: { readonly const?: unknown } };
  readonly content?: Readonly<Record<string, { readonly schema?: Answer }>>;
}

/** The names of list answers. */
const LISTS: readonly unknown[] = ["list", "usage"];

/** A list's media types, by the schema of its answer; undefined if the answer is not a list. */
export function formsOfList({ response }: FastifySchema): readonly string[] | undefined {
  const { 200: answer } = (response ?? {}) as { readonly 200?: Answer };
  const { properties } = answer?.content?.[JSON_TYPE]?.schema ?? answer ?? {};
  if (!LISTS.includes(properties?.object?.const)) return undefined;
  return Object.keys(answer?.content ?? { [JSON_TYPE]: answer });
}

/**
 * Refuses to send a list in a type that the caller does not accept: a spreadsheet that expects CSV can't read JSON and shows no
 * error. A `format` in the query takes precedence over `Accept`.
 */
export function refuseOtherForms(forms: readonly string[]) {
  const others = forms.includes(CSV_TYPE) ? "" : " As CSV there is GET /wallet/transactions.";
  const detail = `This list comes as ${forms.join(" or ")}: ask for that in Accept, or leave the header away.${others}`;
  const refused = refusal("not_acceptable", detail);
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    reply.header("vary", "accept");
    const isChosen = "format" in (request.query as object);
    if (isChosen || preferredType(request.headers.accept, forms) !== undefined) done();
    else sendRefusal(reply, refused);
  };
}
