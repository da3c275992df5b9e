import { type Fault, fault, isMediaKind, listIn, part } from "./rendering.ts";
import type { Component } from "./templates.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What a button must be given, by its kind: the type of its parameter. A link's end is looked at where the link is filled in. */
const BUTTON_PARAMETERS: Readonly<Record<string, string>> = {
  COPY_CODE: "coupon_code",
  FLOW: "action",
  MPM: "action",
  SPM: "action",
  ORDER_DETAILS: "action",
  PAYMENT_REQUEST: "action",
};
const NEEDS_NOTHING = ["BODY", "FOOTER", "CALL_PERMISSION_REQUEST"];

/**
 * A part beyond texts, files, replies and links that was not given what it needs. Source: Meta, “Error codes”, 131008 and 132012, and its
 * pages on carousels, limited-time offers, coupon codes and flows.
 */
export function missingPart(components: readonly Component[], given: readonly Fields[]): Fault | undefined {
  for (const component of components) {
    const type = component.type.toUpperCase();
    const own = given.find((one) => String(one.type).toUpperCase() === type);
    const missing =
      type === "HEADER"
        ? headerFault(component, own)
        : type === "BUTTONS"
          ? buttonFault(component, given)
          : NEEDS_NOTHING.includes(type)
            ? undefined
            : partFault(type, component, own);
    if (missing) return missing;
  }
  return undefined;
}

function headerFault({ format = "TEXT" }: Component, own: Fields | undefined): Fault | undefined {
  const kind = format.toLowerCase();
  if (kind === "text" || isMediaKind(kind)) return undefined;
  const [first] = listIn(own?.parameters);
  const received = String(first?.type ?? "UNKNOWN").toUpperCase();
  return received === format.toUpperCase()
    ? undefined
    : fault(132012, `header: Format mismatch, expected ${format}, received ${received}`);
}

function buttonFault({ buttons = [] }: Component, given: readonly Fields[]): Fault | undefined {
  for (const [at, { type }] of buttons.entries()) {
    const wanted = BUTTON_PARAMETERS[type.toUpperCase()];
    const own = given.find((one) => String(one.type).toLowerCase() === "button" && Number(one.index) === at);
    if (wanted !== undefined && listIn(own?.parameters)[0]?.type !== wanted)
      return fault(131008, `buttons: Button at index ${at} of type ${type} requires a parameter`);
  }
  return undefined;
}

/** A carousel needs as many cards as it has; a limited-time offer its end, if it has one; whatever else, to be given at all. */
function partFault(type: string, component: Component, own: Fields | undefined): Fault | undefined {
  if (type === "CAROUSEL") {
    const [wanted, received] = [listIn(component.cards).length, listIn(own?.cards).length];
    return wanted === received && received > 0
      ? undefined
      : fault(132012, `carousel: ${wanted} cards are expected, ${received} received`);
  }
  if (type === "LIMITED_TIME_OFFER") {
    const ends = part(component.limited_time_offer).has_expiration !== false;
    const [first] = listIn(own?.parameters);
    const end = part(part(first).limited_time_offer).expiration_time_ms;
    return !ends || typeof end === "number"
      ? undefined
      : fault(132012, "limited_time_offer: expiration_time_ms is expected");
  }
  return own ? undefined : fault(132012, `${type.toLowerCase()}: Format mismatch, received UNKNOWN`);
}
