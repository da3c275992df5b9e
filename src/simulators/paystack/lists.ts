import type { Reply } from "./world.ts";

const PER_PAGE = 50;
const PER_PAGE_MAX = 100;

/** A page of a list, with the vendor's `meta`. Pages are counted from 1; what is no number counts as not given. */
export function listed(message: string, all: readonly unknown[], query: URLSearchParams): Reply {
  const perPage = Math.min(countIn(query.get("perPage")) ?? PER_PAGE, PER_PAGE_MAX);
  const page = countIn(query.get("page")) ?? 1;
  const skipped = (page - 1) * perPage;
  const data = all.slice(skipped, skipped + perPage);
  const meta = { total: all.length, skipped, perPage, page, pageCount: Math.ceil(all.length / perPage) };
  return { status: 200, body: { status: true, message, data, meta } };
}

const countIn = (text: string | null): number | undefined => {
  const count = Number(text ?? "");
  return Number.isInteger(count) && count > 0 ? count : undefined;
};
