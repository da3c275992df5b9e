import assert from "node:assert/strict";
import { test } from "node:test";
import { keepsAnOwner, mayDo, type Permission, ROLES } from "./roles.ts";

const MATRIX: Readonly<Record<Permission, string>> = {
  see_orders: "owner developer finance viewer",
  see_wallet: "owner developer finance viewer",
  see_members: "owner developer finance viewer",
  export_statement: "owner finance",
  top_up: "owner finance",
  manage_plans: "owner finance",
  manage_keys: "owner developer",
  manage_webhooks: "owner developer",
  manage_senders: "owner developer",
  manage_account: "owner",
  manage_members: "owner",
};

test("each role may do what the table says, and nothing else", () => {
  for (const [permission, roles] of Object.entries(MATRIX) as [Permission, string][])
    assert.equal(ROLES.filter((role) => mayDo(role, permission)).join(" "), roles, permission);
});

test("the last owner can be neither removed nor made something else", () => {
  const ada = { email: "ada@example.com", role: "owner" } as const;
  const obi = { email: "obi@example.com", role: "finance" } as const;
  assert.equal(keepsAnOwner([ada, obi], { email: ada.email, role: "removed" }), false);
  assert.equal(keepsAnOwner([ada, obi], { email: ada.email, role: "viewer" }), false);
  assert.equal(keepsAnOwner([ada, obi], { email: obi.email, role: "removed" }), true);
  assert.equal(keepsAnOwner([ada, { ...obi, role: "owner" }], { email: ada.email, role: "removed" }), true);
});
