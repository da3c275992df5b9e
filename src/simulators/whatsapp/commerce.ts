import { type Fault, fault, listIn, part, type Screen, textUpTo } from "./rendering.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What an interactive message of a kind has besides its texts, or what is wrong with it. */
interface Kind {
  /** Whether body and header must be there. */
  readonly body: "needed" | "optional" | "none";
  readonly header?: "needed";
  fault(action: Fields): string | undefined;
}

/** In all sections together. */
const PRODUCTS_MAX = 30;
const SECTIONS_MAX = 10;

/** Interactive messages that ask for nothing to be pressed by its id. Source: Meta's pages on each type. */
const KINDS: Readonly<Record<string, Kind>> = {
  product: {
    body: "optional",
    fault: ({ catalog_id, product_retailer_id }) =>
      isName(catalog_id) && isName(product_retailer_id) ? undefined : "catalog_id and product_retailer_id are needed",
  },
  product_list: { body: "needed", header: "needed", fault: faultOfSections },
  catalog_message: { body: "needed", fault: named("catalog_message") },
  location_request_message: { body: "needed", fault: named("send_location") },
  address_message: { body: "needed", fault: named("address_message") },
  call_permission_request: { body: "optional", fault: named("call_permission_request") },
  carousel: {
    body: "needed",
    fault: ({ cards }) =>
      listIn(cards).length >= 2 && listIn(cards).length <= 10 ? undefined : "there are 2 to 10 cards",
  },
  voice_call: { body: "needed", fault: named("voice_call") },
  flow: {
    body: "needed",
    fault: (action) => {
      const { flow_cta, flow_id, flow_name } = part(action.parameters);
      if (action.name !== "flow" || textUpTo(30, flow_cta) === undefined) return "action.name and flow_cta are needed";
      return isName(flow_id) !== isName(flow_name) ? undefined : "exactly one of flow_id and flow_name is needed";
    },
  },
};

/** Such a message on the screen; undefined: it is of no such kind. */
export function commerce(object: Fields): Screen | Fault | undefined {
  const type = String(object.type);
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  if (!kind) return undefined;
  const wrong = kind.fault(part(object.action));
  if (wrong !== undefined) return fault(131009, `interactive.action: ${wrong}`);
  const texts = { body: part(object.body).text, header: part(object.header).text, footer: part(object.footer).text };
  for (const [name, value] of Object.entries(texts)) {
    const isNeeded = kind[name as "body" | "header"] === "needed";
    const max = name === "body" ? 1_024 : 60;
    if ((value !== undefined || isNeeded) && textUpTo(max, value) === undefined)
      return fault(131009, `interactive.${name}.text must have 1 to ${max} characters`);
  }
  return {
    text: String(texts.body ?? ""),
    choices: [],
    ...(texts.header !== undefined && { header: String(texts.header) }),
    ...(texts.footer !== undefined && { footer: String(texts.footer) }),
  };
}

const isName = (value: unknown): boolean => (typeof value === "string" && value !== "") || typeof value === "number";

function named(name: string): Kind["fault"] {
  return (action) => (action.name === name ? undefined : `name must be ${name}`);
}

function faultOfSections({ catalog_id, sections }: Fields): string | undefined {
  if (!isName(catalog_id)) return "catalog_id is needed";
  const all = listIn(sections);
  if (all.length < 1 || all.length > SECTIONS_MAX) return `there are 1 to ${SECTIONS_MAX} sections`;
  if (all.length > 1 && all.some(({ title }) => textUpTo(24, title) === undefined))
    return "each of several sections has a title of 1 to 24 characters";
  const items = all.map(({ product_items }) => listIn(product_items));
  if (items.some((some) => some.length === 0) || items.flat().length > PRODUCTS_MAX)
    return `each section has products, all together at most ${PRODUCTS_MAX}`;
  return items.flat().every(({ product_retailer_id }) => isName(product_retailer_id))
    ? undefined
    : "each product has a product_retailer_id";
}
