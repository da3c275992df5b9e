import { Readable } from "node:stream";
import type { Db } from "../db/database.ts";
import { preferredType } from "../http/accept.ts";
import { callerOf } from "../http/authenticate.ts";
import { decodeCursor, encodeCursor } from "../http/cursor.ts";
import type { Http } from "../http/edge.ts";
import { makeExportTurns } from "../http/export-turns.ts";
import { CSV_TYPE, JSON_TYPE } from "../http/list-forms.ts";
import { sendRefusal } from "../http/refuse.ts";
import { LIST_LIMIT_DEFAULT, listOf, moneyOf } from "../http/schemas.ts";
import { type BlockCipher, makeBlockCipher } from "../kernel/block-cipher.ts";
import { decodeId, encodeId, type IdPrefix, type Uuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import { timeOf } from "../kernel/rfc3339.ts";
import { CSV_HEAD, csvOf } from "./statement.csv.ts";
import { DESCRIPTION, EXAMPLES } from "./statement.examples.ts";
import type { Wallet } from "./statement.repo.ts";
import { Statement, StatementCsv, type StatementLine, StatementQuery } from "./statement.schemas.ts";
import { type Line, type Place, readStatement, type StatementFilters } from "./statement.ts";

export interface StatementRoutesOptions {
  /** Of the server: cursors hold a number that counts all accounts' movements, which is nobody's business. */
  readonly secret: string;
  readonly db: Db;
  /** What the ids of each service's orders begin with. */
  readonly idPrefixes: ReadonlyMap<string, IdPrefix>;
}

const FORMS = [JSON_TYPE, CSV_TYPE] as const;
const FORMATS = { [JSON_TYPE]: "json", [CSV_TYPE]: "csv" } as const;

/**
 * Cursors of before lines had ids and signs of their own are not gone on with: half a statement of one kind and half of another
 * adds up to nothing.
 */
const LINES_VERSION = 2;

/** Lines of one query of an export. */
const EXPORT_PAGE = 500;

/** `GET /wallet/transactions`: the statement, as pages or as CSV. */
export function statementRoutes(app: Http, { db, secret, idPrefixes }: StatementRoutesOptions): void {
  const cipher = makeBlockCipher(secret, "statement cursors");
  const inTurn = makeExportTurns();
  app.get(
    "/wallet/transactions",
    {
      config: {
        auth: { scope: "read", policy: "read" },
        errors: ["invalid_cursor"],
        answerExamples: EXAMPLES,
      },
      schema: {
        operationId: "listWalletTransactions",
        summary: "The wallet's statement",
        description: DESCRIPTION,
        tags: ["Wallet"],
        querystring: StatementQuery,
        response: {
          200: {
            description: "Done",
            content: { [JSON_TYPE]: { schema: Statement }, [CSV_TYPE]: { schema: StatementCsv } },
          },
        },
      },
    },
    async (request, reply) => {
      const { accountId, mode } = callerOf(request);
      const wallet = { accountId: accountId as Uuid, mode };
      const { limit = LIST_LIMIT_DEFAULT, after: cursor, format, ...wanted } = request.query;
      const asked = { ...wanted, lines: LINES_VERSION };
      const at = cursor === undefined ? undefined : decodeCursor(request, cursor, asked);
      if (at && !at.ok) return sendRefusal(reply, at.error);
      const after = at && placeOf(at.value, cipher);
      const isCsv = (format ?? FORMATS[preferredType(request.headers.accept, FORMS) ?? JSON_TYPE]) === "csv";

      const orderId = asked.order === undefined ? undefined : orderIdOf(asked.order);
      const filters: StatementFilters = {
        ...(asked.kind !== undefined && { kind: asked.kind }),
        ...(orderId && { orderId }),
        ...(asked.created_after !== undefined && { createdAfter: timeOf(asked.created_after) }),
        ...(asked.created_before !== undefined && { createdBefore: timeOf(asked.created_before) }),
      };
      const isNobodys = asked.order !== undefined && orderId === undefined;
      if (isCsv) {
        reply.type("text/csv; charset=utf-8").header("content-disposition", 'attachment; filename="wallet.csv"');
        const isAsked = request.method !== "HEAD"; // what is not sent is not read
        return reply.send(Readable.from(isAsked ? (isNobodys ? [CSV_HEAD] : csvLines(wallet, filters, after)) : []));
      }
      if (isNobodys) return listOf<StatementLine>([]);
      const { lines, next } = await readStatement(db, wallet, filters, { after, limit });
      return listOf(lines.map(view), next && encodeCursor(request, idOfPlace(next, cipher), asked));
    },
  );

  /** Page by page, so that a statement of any length needs little memory. */
  async function* csvLines(wallet: Wallet, filters: StatementFilters, start: Place | undefined) {
    yield CSV_HEAD;
    let after = start;
    do {
      const from = after;
      const page = await inTurn(wallet.accountId, () =>
        readStatement(db, wallet, filters, { after: from, limit: EXPORT_PAGE }),
      );
      yield page.lines.map((line) => csvOf(view(line))).join("");
      after = page.next;
    } while (after);
  }

  const view = (line: Line): StatementLine => {
    const { id, movement, kind, at, changeKobo, heldChangeKobo, balanceKobo, heldKobo } = line;
    const { reason, order } = movement;
    const prefix = order && idPrefixes.get(order.service);
    return {
      id: encodeId("trf", id),
      object: "wallet_transaction",
      kind,
      at: at.toISOString(),
      amount: moneyOf(changeKobo),
      held_change: moneyOf(heldChangeKobo),
      ...(prefix && { order_id: encodeId(prefix, order.id) }),
      ...(order?.groupId && { bulk_id: encodeId("blk", order.groupId) }),
      ...(reason !== null && { reason }),
      balance_after: moneyOf(balanceKobo),
      held_after: moneyOf(heldKobo),
      available_after: moneyOf(kobo(balanceKobo - heldKobo)),
    };
  };

  const orderIdOf = (text: string): Uuid | undefined => {
    for (const prefix of new Set(idPrefixes.values())) {
      const id = decodeId(prefix, text);
      if (id) return id;
    }
    return undefined;
  };
}

/** A place is two numbers of 64 bits, which is what a cursor's id has room for. */
const idOfPlace = ({ position, number }: Place, cipher: BlockCipher): Uuid => {
  const plain = ((position << 64n) | BigInt(number)).toString(16).padStart(32, "0");
  const hex = cipher.hide(Buffer.from(plain, "hex")).toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") as Uuid;
};

/** A cursor that was made up names at most a place far away, which has nothing before it, or all. */
const placeOf = (id: Uuid, cipher: BlockCipher): Place => {
  const value = BigInt(`0x${cipher.show(Buffer.from(id.replaceAll("-", ""), "hex")).toString("hex")}`);
  return { position: BigInt.asIntN(64, value >> 64n), number: Number(value & 0xffff_ffff_ffff_ffffn) };
};
