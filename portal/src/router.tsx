import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from "@tanstack/react-router";
import { NotFound } from "./pages/not-found/NotFound.tsx";

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** What may stand behind a page's `?`. Anything else is left away. */
const searchOf =
  <const Name extends string>(...names: readonly Name[]) =>
  (search: Record<string, unknown>): Partial<Record<Name, string>> =>
    Object.fromEntries(names.flatMap((name) => (text(search[name]) ? [[name, text(search[name])]] : []))) as Partial<
      Record<Name, string>
    >;

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>) => ({
    ...searchOf("next", "email", "error")(search),
    ...(search.verified === true && { verified: true as const }),
  }),
  component: lazyRouteComponent(() => import("./pages/sign-in/SignIn.tsx"), "SignIn"),
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: "/sign-up",
  validateSearch: searchOf("next", "email"),
  component: lazyRouteComponent(() => import("./pages/sign-up/SignUp.tsx"), "SignUp"),
});
const verify = createRoute({
  getParentRoute: () => root,
  path: "/verify",
  validateSearch: searchOf("email", "token"),
  component: lazyRouteComponent(() => import("./pages/verify/Verify.tsx"), "Verify"),
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: "/reset-password",
  validateSearch: searchOf("token"),
  component: lazyRouteComponent(() => import("./pages/reset-password/ResetPassword.tsx"), "ResetPassword"),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: "/invitation",
  validateSearch: searchOf("id", "email"),
  component: lazyRouteComponent(() => import("./pages/invitation/Invitation.tsx"), "Invitation"),
});
const operator = createRoute({
  getParentRoute: () => root,
  path: "/operator",
  validateSearch: searchOf("token"),
  component: lazyRouteComponent(() => import("./pages/operator/Operator.tsx"), "Operator"),
});
const outbox = createRoute({
  getParentRoute: () => root,
  path: "/outbox",
  component: lazyRouteComponent(() => import("./pages/outbox/Outbox.tsx"), "Outbox"),
});

/** The pages of who is signed in. */
const frame = createRoute({
  getParentRoute: () => root,
  id: "frame",
  component: lazyRouteComponent(() => import("./frame/Frame.tsx"), "Frame"),
});
const home = createRoute({
  getParentRoute: () => frame,
  path: "/",
  component: lazyRouteComponent(() => import("./pages/home/Home.tsx"), "Home"),
});
const services = createRoute({
  getParentRoute: () => frame,
  path: "/services",
  component: lazyRouteComponent(() => import("./pages/services/Services.tsx"), "Services"),
});
const sms = createRoute({
  getParentRoute: () => frame,
  path: "/services/sms",
  component: lazyRouteComponent(() => import("./pages/sms/Sms.tsx"), "Sms"),
});
const chat = createRoute({
  getParentRoute: () => frame,
  path: "/services/chat",
  component: lazyRouteComponent(() => import("./pages/chat/Chat.tsx"), "Chat"),
});
const airtime = createRoute({
  getParentRoute: () => frame,
  path: "/services/airtime",
  component: lazyRouteComponent(() => import("./pages/airtime/Airtime.tsx"), "Airtime"),
});
const data = createRoute({
  getParentRoute: () => frame,
  path: "/services/data",
  component: lazyRouteComponent(() => import("./pages/airtime/Data.tsx"), "Data"),
});
const electricity = createRoute({
  getParentRoute: () => frame,
  path: "/services/electricity",
  component: lazyRouteComponent(() => import("./pages/electricity/Electricity.tsx"), "Electricity"),
});
const cable = createRoute({
  getParentRoute: () => frame,
  path: "/services/cable",
  component: lazyRouteComponent(() => import("./pages/cable/Cable.tsx"), "Cable"),
});
const plans = createRoute({
  getParentRoute: () => frame,
  path: "/plans",
  component: lazyRouteComponent(() => import("./pages/plans/Plans.tsx"), "Plans"),
});
const listOfOrders = {
  validateSearch: searchOf("find", "service", "status", "from", "to", "order"),
  component: lazyRouteComponent(() => import("./pages/orders/Orders.tsx"), "Orders"),
};
const orders = createRoute({ getParentRoute: () => frame, path: "/orders", ...listOfOrders });
const messages = createRoute({ getParentRoute: () => frame, path: "/messages", ...listOfOrders });
const purchases = createRoute({ getParentRoute: () => frame, path: "/purchases", ...listOfOrders });
const keys = createRoute({
  getParentRoute: () => frame,
  path: "/keys",
  component: lazyRouteComponent(() => import("./pages/keys/Keys.tsx"), "Keys"),
});
const requests = createRoute({
  getParentRoute: () => frame,
  path: "/requests",
  validateSearch: searchOf("order", "status", "code", "method", "by", "request"),
  component: lazyRouteComponent(() => import("./pages/requests/Requests.tsx"), "Requests"),
});
const team = createRoute({
  getParentRoute: () => frame,
  path: "/team",
  component: lazyRouteComponent(() => import("./pages/team/Team.tsx"), "Team"),
});
const you = createRoute({
  getParentRoute: () => frame,
  path: "/you",
  component: lazyRouteComponent(() => import("./pages/you/You.tsx"), "You"),
});

export const router = createRouter({
  basepath: "/portal",
  routeTree: root.addChildren([
    signIn,
    signUp,
    verify,
    resetPassword,
    invitation,
    operator,
    outbox,
    frame.addChildren([
      ...[home, services, sms, chat, airtime, data, electricity, cable],
      ...[orders, messages, purchases, keys, requests, plans, team, you],
    ]),
  ]),
  defaultPreload: "intent",
  scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
