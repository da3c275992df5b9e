import { element } from "./elements.ts";
import { addressOf, type Operation, type Outcome, type Parameter, send } from "./operation.ts";
import { accountsOf, forgetSession, type Session, signInUrl, theSession } from "./session.ts";

/** Puts a form in the place of an operation. What it needs is asked for when it is opened. */
export function offerTrial(place: HTMLElement): void {
  const operation = JSON.parse(place.dataset.operation ?? "") as Operation;
  const box = element("details", { class: "try" }, element("summary", {}, "Try it in test mode"));
  const inside = element("div");
  box.append(inside);
  box.addEventListener("toggle", () => {
    if (box.open && inside.childElementCount === 0) void fill(inside, operation);
  });
  place.replaceWith(box);
}

async function fill(inside: HTMLElement, operation: Operation): Promise<void> {
  inside.replaceChildren(saying("…"));
  try {
    const session = operation.isPublic ? undefined : await theSession();
    if (session && !session.person) inside.replaceChildren(askSignIn(operation.id));
    else if (session?.accounts.length === 0) inside.replaceChildren(saying("You are not a member of an account yet."));
    else inside.replaceChildren(...formOf(operation, session));
  } catch {
    inside.replaceChildren(saying("The gateway can't be reached. Close this and open it again."));
  }
}

const saying = (text: string): HTMLElement => element("p", { class: "say" }, text);

const askSignIn = (anchor: string): HTMLElement =>
  element(
    "p",
    { class: "say" },
    "It is sent as you, without a key. ",
    element("a", { href: signInUrl(anchor) }, "Sign in"),
    " and come back here.",
  );

const WARNING = "It changes something, in test mode: play money, simulated handsets and meters.";

function formOf(operation: Operation, session: Session | undefined): readonly HTMLElement[] {
  const account = session && accountField(session);
  const parameters = new Map(operation.parameters.map((parameter) => [parameter.name, parameterField(parameter)]));
  const body = operation.bodies.length > 0 ? bodyField(operation) : undefined;
  const key = operation.sendsKey ? element("input", { name: "key", required: true }) : undefined;
  const renewKey = () => {
    if (key) key.value = crypto.randomUUID();
  };
  renewKey();

  const button = element("button", { type: "submit", class: "send" }, `Send ${operation.method}`);
  const outcome = element("div", { class: "outcome", role: "status" });
  const form = element(
    "form",
    { "aria-label": `Try ${operation.id}` },
    ...(operation.method === "GET" || operation.scope === "read" ? [] : [element("p", {}, WARNING)]),
    ...(operation.scope === "manage" ? [element("p", {}, "It needs a role with the scope manage.")] : []),
    ...(account ? [labelled("Account", account)] : []),
    ...[...parameters].map(([name, input]) => labelled(name, input)),
    ...(body ? body.fields : []),
    ...(key ? [labelled("Idempotency-Key, another one after each change", key)] : []),
    button,
  );
  form.addEventListener("input", ({ target }) => {
    if (target !== key) renewKey();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    const headers = {
      ...(session && { "afara-account": account?.value ?? "", "afara-mode": "test" }),
      ...(session?.csrf_token && operation.method !== "GET" && { "afara-csrf": session.csrf_token }),
      ...(key && { "idempotency-key": key.value }),
      ...(body && { "content-type": "application/json" }),
    };
    const init = { method: operation.method, headers, ...(body && { body: body.text.value }) };
    try {
      const answer = await send(
        addressOf(operation, (name) => parameters.get(name)?.value ?? ""),
        init,
      );
      outcome.replaceChildren(...outcomeOf(answer));
      if (answer.status === 401) {
        forgetSession();
        outcome.append(askSignIn(operation.id));
      }
    } catch {
      outcome.replaceChildren(element("p", { class: "bad" }, "There was no answer. The gateway may be away."));
    } finally {
      button.disabled = false;
      outcome.scrollIntoView({ block: "nearest" }); // a long form pushes it below what is seen
    }
  });
  return [form, outcome];
}

const labelled = (text: string, field: HTMLElement): HTMLElement => element("label", {}, text, field);

function accountField(session: Session): HTMLSelectElement {
  const options = accountsOf(session).map(({ id, name, role }) =>
    element("option", { value: id }, `${name} (${role})`),
  );
  return element("select", { name: "account" }, ...options);
}

function parameterField({ name, isRequired, example }: Parameter): HTMLInputElement {
  return element("input", { name, value: example, required: isRequired, autocomplete: "off" });
}

function bodyField({ bodies }: Operation) {
  const text = element("textarea", { name: "body", spellcheck: "false", rows: "8" });
  const show = (index: number) => {
    text.value = JSON.stringify(bodies[index]?.value, null, 2);
  };
  show(0);
  if (bodies.length === 1) return { text, fields: [labelled("Body", text)] };
  const options = bodies.map(({ summary }, index) => element("option", { value: String(index) }, summary));
  const choice = element("select", { name: "example" }, ...options);
  choice.addEventListener("change", () => show(Number(choice.value)));
  return { text, fields: [labelled("Example", choice), labelled("Body", text)] };
}

function outcomeOf({ status, phrase, isGood, ms, headers, body }: Outcome): readonly HTMLElement[] {
  const line = element(
    "p",
    {},
    element("span", { class: isGood ? "good" : "bad" }, `${status} ${phrase}`.trim()),
    ` in ${ms} ms`,
  );
  const list = element(
    "ul",
    { class: "members" },
    ...headers.map(([name, value]) => element("li", {}, element("code", {}, name), ` ${value}`)),
  );
  return [line, list, ...(body === "" ? [] : [element("pre", { tabindex: "0" }, element("code", {}, body))])];
}
