-- The whole schema, for reading. Nothing is applied from this file: `npm run schema` renews it (ADR 39).

create table account_invitations (
  id uuid not null,
  account_id uuid not null,
  email text not null,
  role text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint account_invitations_pkey PRIMARY KEY (id),
  constraint account_invitations_account_id_email_key UNIQUE (account_id, email),
  constraint account_invitations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint account_invitations_email_check CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 254)))),
  constraint account_invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'finance'::text, 'viewer'::text])))
);
CREATE INDEX account_invitations_email ON account_invitations USING btree (email);

create table account_members (
  account_id uuid not null,
  person_id uuid not null,
  role text not null,
  created_at timestamp with time zone not null,
  constraint account_members_pkey PRIMARY KEY (account_id, person_id),
  constraint account_members_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint account_members_person_id_fkey FOREIGN KEY (person_id) REFERENCES auth_people(id) ON DELETE CASCADE,
  constraint account_members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'finance'::text, 'viewer'::text])))
);
CREATE INDEX account_members_person ON account_members USING btree (person_id);

create table accounts (
  id uuid not null,
  name text not null,
  suspended_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  default_sender text,
  low_balance_kobo bigint,
  fees_waived boolean not null default false,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_default_sender_check CHECK (((length(default_sender) >= 1) AND (length(default_sender) <= 20))),
  constraint accounts_low_balance_kobo_check CHECK ((low_balance_kobo >= 0)),
  constraint accounts_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);
CREATE INDEX accounts_with_threshold ON accounts USING btree (id) WHERE (low_balance_kobo IS NOT NULL);

create table api_keys (
  id uuid not null,
  account_id uuid not null,
  mode text not null,
  hash bytea not null,
  start text not null,
  last4 text not null,
  services text[],
  scopes text[] not null,
  cidrs text[],
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  spend_cap_kobo bigint,
  last_used_at timestamp with time zone,
  rolled_at timestamp with time zone,
  rolled_until timestamp with time zone,
  replaced_by uuid,
  spends_as uuid,
  made_by uuid,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_hash_key UNIQUE (hash),
  constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint api_keys_made_by_fkey FOREIGN KEY (made_by) REFERENCES auth_people(id) ON DELETE SET NULL,
  constraint api_keys_replaced_by_fkey FOREIGN KEY (replaced_by) REFERENCES api_keys(id),
  constraint api_keys_check CHECK ((((rolled_at IS NULL) = (rolled_until IS NULL)) AND ((rolled_at IS NULL) = (replaced_by IS NULL)))),
  constraint api_keys_hash_check CHECK ((length(hash) = 32)),
  constraint api_keys_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint api_keys_spend_cap_kobo_check CHECK ((spend_cap_kobo >= 0))
);
CREATE INDEX api_keys_by_account ON api_keys USING btree (account_id);
CREATE INDEX api_keys_made_by ON api_keys USING btree (made_by) WHERE (made_by IS NOT NULL);

create table attempts (
  route text not null,
  reference text not null,
  account_id uuid not null,
  order_id uuid not null,
  attempt integer not null,
  begun_at timestamp with time zone not null,
  asked_at timestamp with time zone,
  reconciled_at timestamp with time zone,
  constraint attempts_pkey PRIMARY KEY (route, reference)
);
CREATE INDEX attempts_by_order ON attempts USING btree (account_id, order_id);
CREATE INDEX attempts_by_time ON attempts USING btree (route, begun_at);
CREATE INDEX attempts_to_reconcile ON attempts USING btree (route, begun_at) WHERE (reconciled_at IS NULL);
CREATE TRIGGER attempts_kept BEFORE INSERT ON attempts FOR EACH ROW EXECUTE FUNCTION keep_attempt();

create table audit_log (
  number bigint not null,
  at timestamp with time zone not null,
  actor_kind text not null,
  actor text,
  action text not null,
  subject text not null,
  details jsonb not null,
  reason text,
  previous_hash bytea not null,
  hash bytea not null,
  constraint audit_log_pkey PRIMARY KEY (number),
  constraint audit_log_hash_key UNIQUE (hash),
  constraint audit_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['operator'::text, 'key'::text, 'person'::text, 'system'::text]))),
  constraint audit_log_check CHECK (((actor IS NULL) = (actor_kind = 'system'::text))),
  constraint audit_log_hash_check CHECK ((length(hash) = 32)),
  constraint audit_log_number_check CHECK ((number > 0)),
  constraint audit_log_previous_hash_check CHECK ((length(previous_hash) = 32))
);
CREATE INDEX audit_log_by_subject ON audit_log USING btree (subject, number);
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

create table auth_credentials (
  id uuid not null,
  person_id uuid not null,
  provider_id text not null,
  external_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamp with time zone,
  refresh_token_expires_at timestamp with time zone,
  scope text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint auth_credentials_pkey PRIMARY KEY (id),
  constraint auth_credentials_person_id_fkey FOREIGN KEY (person_id) REFERENCES auth_people(id) ON DELETE CASCADE
);
CREATE INDEX auth_credentials_person_id_idx ON auth_credentials USING btree (person_id);

create table auth_outbox (
  id uuid not null,
  recipient text not null,
  subject text not null,
  text text not null,
  at timestamp with time zone not null,
  constraint auth_outbox_pkey PRIMARY KEY (id)
);

create table auth_passkeys (
  id uuid not null,
  person_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint auth_passkeys_pkey PRIMARY KEY (id),
  constraint auth_passkeys_credential_id_key UNIQUE (credential_id),
  constraint auth_passkeys_person_id_fkey FOREIGN KEY (person_id) REFERENCES auth_people(id) ON DELETE CASCADE,
  constraint auth_passkeys_counter_check CHECK ((counter >= 0)),
  constraint auth_passkeys_credential_id_check CHECK (((octet_length(credential_id) >= 1) AND (octet_length(credential_id) <= 1023))),
  constraint auth_passkeys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);
CREATE INDEX auth_passkeys_person_id_idx ON auth_passkeys USING btree (person_id);

create table auth_people (
  id uuid not null,
  name text not null,
  email text not null,
  email_verified boolean not null,
  image text,
  two_factor_enabled boolean not null default false,
  approved boolean not null default true,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint auth_people_pkey PRIMARY KEY (id),
  constraint auth_people_email_key UNIQUE (email),
  constraint auth_people_email_check CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 254)))),
  constraint auth_people_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);

create table auth_second_factors (
  id uuid not null,
  person_id uuid not null,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamp with time zone,
  last_code text,
  constraint auth_second_factors_pkey PRIMARY KEY (id),
  constraint auth_second_factors_person_id_fkey FOREIGN KEY (person_id) REFERENCES auth_people(id) ON DELETE CASCADE
);
CREATE INDEX auth_second_factors_person_id_idx ON auth_second_factors USING btree (person_id);
CREATE INDEX auth_second_factors_secret_idx ON auth_second_factors USING btree (secret);

create table auth_sessions (
  id uuid not null,
  person_id uuid not null,
  token text not null,
  expires_at timestamp with time zone not null,
  ip_address text,
  user_agent text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  confirmed_at timestamp with time zone,
  constraint auth_sessions_pkey PRIMARY KEY (id),
  constraint auth_sessions_token_key UNIQUE (token),
  constraint auth_sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES auth_people(id) ON DELETE CASCADE
);
CREATE INDEX auth_sessions_person_id_idx ON auth_sessions USING btree (person_id);

create table auth_verifications (
  id uuid not null,
  identifier text not null,
  value text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint auth_verifications_pkey PRIMARY KEY (id)
);
CREATE INDEX auth_verifications_identifier_idx ON auth_verifications USING btree (identifier);

create table cases (
  account_id uuid,
  order_id uuid,
  kind text not null,
  evidence jsonb not null,
  opened_at timestamp with time zone not null default now(),
  closed_at timestamp with time zone,
  resolution text,
  id uuid not null default uuidv7_now(),
  finding text,
  constraint cases_pkey PRIMARY KEY (id),
  constraint cases_check CHECK (((finding IS NOT NULL) OR (order_id IS NOT NULL)))
);
CREATE INDEX cases_by_order ON cases USING btree (order_id) WHERE (closed_at IS NULL);
CREATE INDEX cases_of_order ON cases USING btree (order_id);
CREATE UNIQUE INDEX cases_once ON cases USING btree (kind, COALESCE(finding, (order_id)::text));
CREATE INDEX cases_open ON cases USING btree (opened_at) WHERE (closed_at IS NULL);

create table catalogue_changes (
  plan_id text not null,
  at timestamp with time zone not null,
  change text not null,
  name text not null,
  cost_kobo bigint not null,
  constraint catalogue_changes_pkey PRIMARY KEY (plan_id, at, change),
  constraint catalogue_changes_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES catalogue_plans(plan_id),
  constraint catalogue_changes_change_check CHECK ((change = ANY (ARRAY['added'::text, 'repriced'::text, 'renamed'::text, 'gone'::text, 'back'::text])))
);

create table catalogue_lists (
  product text not null,
  provider text not null,
  fetched_at timestamp with time zone not null,
  constraint catalogue_lists_pkey PRIMARY KEY (product, provider)
);

create table catalogue_plans (
  plan_id text not null,
  product text not null,
  provider text not null,
  code text not null,
  generation integer not null,
  plan_group text not null,
  name text not null,
  cost_kobo bigint not null,
  added_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  gone_at timestamp with time zone,
  constraint catalogue_plans_pkey PRIMARY KEY (plan_id),
  constraint catalogue_plans_product_provider_code_generation_key UNIQUE (product, provider, code, generation),
  constraint catalogue_plans_cost_kobo_check CHECK ((cost_kobo > 0))
);
CREATE UNIQUE INDEX catalogue_plans_sold ON catalogue_plans USING btree (product, provider, code) WHERE (gone_at IS NULL);

create table chat_fetched_media (
  provider text not null,
  sha256 bytea not null,
  kind text not null,
  vendor_id text not null,
  expires_at timestamp with time zone not null,
  constraint chat_fetched_media_pkey PRIMARY KEY (provider, sha256, kind)
);

create table chat_inbound (
  id uuid not null,
  provider text not null,
  provider_reference text not null,
  mode text not null,
  account_id uuid,
  sender text not null,
  number text not null,
  body text not null,
  facts jsonb not null,
  written_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  constraint chat_inbound_pkey PRIMARY KEY (id),
  constraint chat_inbound_provider_provider_reference_key UNIQUE (provider, provider_reference)
);
CREATE INDEX chat_inbound_age ON chat_inbound USING brin (received_at) WITH (autosummarize='on');
CREATE INDEX chat_inbound_listed ON chat_inbound USING btree (account_id, mode, id);

create table chat_inbound_media (
  message_id uuid not null,
  provider text not null,
  vendor_id text not null,
  state text not null default 'pending'::text,
  tries integer not null default 0,
  due_at timestamp with time zone,
  mime_type text,
  size integer,
  sha256 bytea,
  bytes bytea,
  constraint chat_inbound_media_pkey PRIMARY KEY (message_id),
  constraint chat_inbound_media_message_id_fkey FOREIGN KEY (message_id) REFERENCES chat_inbound(id) ON DELETE CASCADE,
  constraint chat_inbound_media_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'kept'::text, 'unavailable'::text, 'forgotten'::text])))
);
CREATE INDEX chat_inbound_media_due ON chat_inbound_media USING btree (due_at) WHERE (due_at IS NOT NULL);

create table chat_media (
  id uuid not null,
  account_id uuid not null,
  mode text not null,
  provider text not null,
  vendor_id text not null,
  kind text not null,
  mime_type text not null,
  size integer not null,
  sha256 bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint chat_media_pkey PRIMARY KEY (id)
);
CREATE INDEX chat_media_expiring ON chat_media USING btree (expires_at);

create table chat_numbers (
  number text not null,
  mode text not null,
  provider text not null,
  account_id uuid not null,
  assigned_at timestamp with time zone not null,
  constraint chat_numbers_pkey PRIMARY KEY (number, mode),
  constraint chat_numbers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint chat_numbers_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text])))
);
CREATE INDEX chat_numbers_by_account ON chat_numbers USING btree (account_id, mode, assigned_at);

create table chat_template_lists (
  provider text not null,
  fetched_at timestamp with time zone not null,
  constraint chat_template_lists_pkey PRIMARY KEY (provider)
);

create table chat_templates (
  provider text not null,
  name text not null,
  language text not null,
  template jsonb not null,
  constraint chat_templates_pkey PRIMARY KEY (provider, name, language)
);

create table chat_windows (
  mode text not null,
  number text not null,
  recipient text not null,
  last_inbound_at timestamp with time zone not null,
  refused_at timestamp with time zone,
  constraint chat_windows_pkey PRIMARY KEY (mode, number, recipient)
);

create table data_plan_changes (
  plan_id text not null,
  at timestamp with time zone not null,
  change text not null,
  name text not null,
  cost_kobo bigint not null,
  constraint data_plan_changes_pkey PRIMARY KEY (plan_id, at, change),
  constraint data_plan_changes_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES data_plans(plan_id),
  constraint data_plan_changes_change_check CHECK ((change = ANY (ARRAY['added'::text, 'repriced'::text, 'renamed'::text, 'gone'::text, 'back'::text])))
);

create table data_plan_lists (
  provider text not null,
  fetched_at timestamp with time zone not null,
  constraint data_plan_lists_pkey PRIMARY KEY (provider)
);

create table data_plans (
  plan_id text not null,
  provider text not null,
  code text not null,
  generation integer not null,
  network text not null,
  name text not null,
  cost_kobo bigint not null,
  size_mb integer,
  validity_hours integer,
  kind text,
  added_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  gone_at timestamp with time zone,
  constraint data_plans_pkey PRIMARY KEY (plan_id),
  constraint data_plans_provider_code_generation_key UNIQUE (provider, code, generation),
  constraint data_plans_cost_kobo_check CHECK ((cost_kobo > 0))
);
CREATE UNIQUE INDEX data_plans_sold ON data_plans USING btree (provider, code) WHERE (gone_at IS NULL);

create table events (
  account_id uuid not null,
  order_id uuid not null,
  version integer not null,
  mode text not null,
  id uuid,
  type text,
  sequence integer,
  status text not null,
  previous_status text,
  at timestamp with time zone not null,
  detail jsonb,
  xid xid8 default pg_current_xact_id(),
  constraint events_pkey PRIMARY KEY (account_id, order_id, version),
  constraint events_check CHECK ((((type IS NULL) = (id IS NULL)) AND ((type IS NULL) = (sequence IS NULL))))
) partition by RANGE (order_id);
CREATE INDEX events_to_place ON ONLY events USING btree (xid) WHERE ((type IS NOT NULL) AND (xid IS NOT NULL));
CREATE TRIGGER events_folded BEFORE INSERT ON events FOR EACH ROW WHEN (((new.type IS NULL) AND (new.detail ? 'repeat_of'::text))) EXECUTE FUNCTION fold_repeat();

create table feed (
  account_id uuid not null,
  mode text not null,
  "position" bigint not null,
  order_id uuid not null,
  version integer not null,
  type text not null,
  constraint feed_pkey PRIMARY KEY (account_id, mode, "position")
) partition by RANGE ("position");
CREATE INDEX feed_by_order ON ONLY feed USING btree (account_id, order_id, "position");

create table feed_progress (
  only_row boolean not null default true,
  server text not null,
  snapshot pg_snapshot not null,
  "position" bigint not null,
  constraint feed_progress_pkey PRIMARY KEY (only_row),
  constraint feed_progress_only_row_check CHECK (only_row)
);

create table funding_accounts (
  provider text not null,
  account_id uuid not null,
  customer text not null,
  account_number text not null,
  bank text not null,
  account_name text not null,
  created_at timestamp with time zone not null,
  constraint funding_accounts_pkey PRIMARY KEY (provider, account_id),
  constraint funding_accounts_provider_account_number_key UNIQUE (provider, account_number),
  constraint funding_accounts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX funding_accounts_by_customer ON funding_accounts USING btree (provider, customer);

create table funding_payments (
  provider text not null,
  reference text not null,
  state text not null,
  account_id uuid,
  topup_id uuid,
  paid_kobo bigint,
  detail text,
  tries integer not null default 0,
  due_at timestamp with time zone,
  reported_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint funding_payments_pkey PRIMARY KEY (provider, reference),
  constraint funding_payments_account_id_topup_id_fkey FOREIGN KEY (account_id, topup_id) REFERENCES topups(account_id, id),
  constraint funding_payments_check CHECK (((due_at IS NOT NULL) = (state = ANY (ARRAY['awaited'::text, 'reported'::text])))),
  constraint funding_payments_check1 CHECK (((state = 'credited'::text) <= ((topup_id IS NOT NULL) AND (paid_kobo IS NOT NULL)))),
  constraint funding_payments_state_check CHECK ((state = ANY (ARRAY['awaited'::text, 'reported'::text, 'credited'::text, 'given_up'::text, 'kept'::text, 'closed'::text])))
);
CREATE UNIQUE INDEX funding_payments_by_topup ON funding_payments USING btree (account_id, topup_id);
CREATE INDEX funding_payments_due ON funding_payments USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX funding_payments_kept ON funding_payments USING btree (created_at) WHERE (state = 'kept'::text);

create table inbound_messages (
  provider text not null,
  provider_reference text not null,
  id uuid not null,
  mode text not null,
  account_id uuid,
  sender text not null,
  recipient text not null,
  body text not null,
  facts jsonb,
  received_at timestamp with time zone not null,
  understood_as text,
  constraint inbound_messages_pkey PRIMARY KEY (provider, provider_reference),
  constraint inbound_messages_id_key UNIQUE (id),
  constraint inbound_messages_understood_as_check CHECK ((understood_as = ANY (ARRAY['stop'::text, 'start'::text])))
);
CREATE INDEX inbound_messages_age ON inbound_messages USING brin (received_at) WITH (autosummarize='on');
CREATE INDEX inbound_messages_by_sender ON inbound_messages USING btree (account_id, mode, sender, received_at, id) WHERE (account_id IS NOT NULL);
CREATE INDEX inbound_messages_listed ON inbound_messages USING btree (account_id, mode, received_at, id) WHERE (account_id IS NOT NULL);

create table inbound_numbers (
  number text not null,
  mode text not null,
  account_id uuid not null,
  constraint inbound_numbers_pkey PRIMARY KEY (number, mode),
  constraint inbound_numbers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table key_spend (
  key_id uuid not null,
  day date not null,
  spent_kobo bigint not null default 0,
  constraint key_spend_pkey PRIMARY KEY (key_id, day)
);

create table ledger_accounts (
  account_id uuid not null,
  mode text not null,
  kind text not null,
  debits_pending bigint not null default 0,
  debits_posted bigint not null default 0,
  credits_pending bigint not null default 0,
  credits_posted bigint not null default 0,
  constraint ledger_accounts_pkey PRIMARY KEY (account_id, mode, kind),
  constraint ledger_accounts_credits_pending_check CHECK ((credits_pending >= 0)),
  constraint ledger_accounts_credits_posted_check CHECK ((credits_posted >= 0)),
  constraint ledger_accounts_debits_pending_check CHECK ((debits_pending >= 0)),
  constraint ledger_accounts_debits_posted_check CHECK ((debits_posted >= 0)),
  constraint wallet_not_overdrawn CHECK (((kind <> 'wallet'::text) OR (((credits_posted - debits_posted) - debits_pending) >= 0)))
);

create table low_wallets (
  account_id uuid not null,
  mode text not null,
  since timestamp with time zone not null default clock_timestamp(),
  constraint low_wallets_pkey PRIMARY KEY (account_id, mode),
  constraint low_wallets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table manual_transfers (
  account_id uuid not null,
  mode text not null,
  name text not null,
  transfer_id uuid not null,
  constraint manual_transfers_pkey PRIMARY KEY (name),
  constraint manual_transfers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint manual_transfers_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);

create table meter_verifications (
  account_id uuid not null,
  id uuid not null,
  mode text not null,
  disco text not null,
  meter_number text not null,
  meter_type text not null,
  customer_name text not null,
  customer_address text,
  tariff text,
  arrears_kobo bigint,
  minimum_kobo bigint not null,
  maximum_kobo bigint not null,
  provider text not null,
  verified_at timestamp with time zone not null,
  constraint meter_verifications_pkey PRIMARY KEY (account_id, id),
  constraint meter_verifications_arrears_kobo_check CHECK ((arrears_kobo > 0)),
  constraint meter_verifications_maximum_kobo_check CHECK ((maximum_kobo >= 0)),
  constraint meter_verifications_meter_type_check CHECK ((meter_type = ANY (ARRAY['prepaid'::text, 'postpaid'::text]))),
  constraint meter_verifications_minimum_kobo_check CHECK ((minimum_kobo >= 0)),
  constraint meter_verifications_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text])))
);
CREATE INDEX meter_verifications_age ON meter_verifications USING brin (verified_at) WITH (autosummarize='on');

create table migrations (
  number integer not null,
  name text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (number)
);

create table node_routes (
  node uuid not null,
  route text not null,
  ready boolean not null,
  detail text,
  at timestamp with time zone not null default clock_timestamp(),
  contact text,
  constraint node_routes_pkey PRIMARY KEY (node, route),
  constraint node_routes_node_fkey FOREIGN KEY (node) REFERENCES nodes(id) ON DELETE CASCADE,
  constraint node_routes_contact_check CHECK ((contact = ANY (ARRAY['asking'::text, 'reached'::text, 'refused'::text, 'not_reached'::text])))
);

create table nodes (
  id uuid not null,
  role text not null,
  started_at timestamp with time zone not null default clock_timestamp(),
  heartbeat_at timestamp with time zone not null default clock_timestamp(),
  constraint nodes_pkey PRIMARY KEY (id)
);

create table notices (
  account_id uuid not null,
  order_id uuid not null,
  message_id uuid not null,
  state text not null default 'pending'::text,
  refusal jsonb,
  created_at timestamp with time zone not null default now(),
  constraint notices_pkey PRIMARY KEY (account_id, order_id),
  constraint notices_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'made'::text, 'refused'::text])))
);
CREATE INDEX notices_pending ON notices USING btree (created_at) WHERE (state = 'pending'::text);

create table operators (
  id uuid not null,
  email text not null,
  person_id uuid,
  link_hash text,
  link_expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint operators_pkey PRIMARY KEY (id),
  constraint operators_email_key UNIQUE (email),
  constraint operators_person_id_key UNIQUE (person_id),
  constraint operators_person_id_fkey FOREIGN KEY (person_id) REFERENCES auth_people(id) ON DELETE CASCADE,
  constraint operators_check CHECK (((link_hash IS NULL) = (link_expires_at IS NULL))),
  constraint operators_check1 CHECK (((person_id IS NOT NULL) OR (link_hash IS NOT NULL))),
  constraint operators_email_check CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 254))))
);

create table opt_ins (
  account_id uuid not null,
  mode text not null,
  person text not null,
  channel text not null,
  at timestamp with time zone not null,
  constraint opt_ins_pkey PRIMARY KEY (account_id, mode, person, channel),
  constraint opt_ins_channel_check CHECK ((channel = ANY (ARRAY['all'::text, 'sms'::text, 'chat'::text]))),
  constraint opt_ins_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text])))
);

create table order_groups (
  account_id uuid not null,
  id uuid not null,
  mode text not null,
  service text not null,
  total integer not null,
  open integer not null,
  payload jsonb not null,
  completion_event text,
  event_sequence integer not null default 0,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint order_groups_pkey PRIMARY KEY (account_id, id),
  constraint order_groups_open_check CHECK ((open >= 0))
);

create table order_keys (
  account_id uuid not null,
  mode text not null,
  kind text not null,
  key text not null,
  target_id uuid not null,
  fingerprint bytea not null,
  created_at timestamp with time zone not null default now(),
  review_at timestamp with time zone not null default (now() + '72:00:00'::interval),
  constraint order_keys_pkey PRIMARY KEY (account_id, mode, kind, key),
  constraint order_keys_kind_check CHECK ((kind = ANY (ARRAY['key'::text, 'reference'::text])))
);
CREATE INDEX order_keys_by_review ON order_keys USING btree (review_at) WHERE (kind = 'key'::text);

create table orders (
  account_id uuid not null,
  id uuid not null,
  mode text not null,
  service text not null,
  queue text not null,
  state text not null,
  version integer not null default 1,
  event_sequence integer not null default 0,
  priority smallint not null,
  due_at timestamp with time zone,
  later_at timestamp with time zone,
  leased_by uuid,
  leased_until timestamp with time zone,
  lease_epoch integer not null default 0,
  ambiguity text not null,
  attempt integer not null default 0,
  route text,
  begun_at timestamp with time zone,
  ambiguous_at timestamp with time zone,
  tries integer not null default 0,
  not_found_at timestamp with time zone,
  tried text[] not null default '{}'::text[],
  pieces jsonb,
  price_kobo bigint not null,
  tax_kobo bigint not null,
  recipient text not null,
  group_id uuid,
  reference text,
  metadata jsonb,
  payload jsonb not null,
  facts jsonb,
  send_at timestamp with time zone,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  attempt_reference text,
  hinted boolean not null default false,
  hint_due_at timestamp with time zone,
  request_id uuid,
  failed_at timestamp with time zone,
  constraint orders_pkey PRIMARY KEY (account_id, id),
  constraint orders_ambiguity_check CHECK ((ambiguity = ANY (ARRAY['retry'::text, 'fail'::text, 'requery'::text]))),
  constraint orders_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint orders_price_kobo_check CHECK ((price_kobo >= 0)),
  constraint orders_tax_kobo_check CHECK ((tax_kobo >= 0))
) partition by RANGE (id);
CREATE INDEX orders_ambiguous ON ONLY orders USING btree (route, recipient) WHERE ((ambiguous_at IS NOT NULL) AND (ended_at IS NULL));
CREATE INDEX orders_by_customer ON ONLY orders USING btree (((payload ->> 'phone'::text)), id) WHERE ((payload ->> 'phone'::text) IS NOT NULL);
CREATE INDEX orders_by_group ON ONLY orders USING btree (account_id, group_id, id) WHERE (group_id IS NOT NULL);
CREATE INDEX orders_by_recipient ON ONLY orders USING btree (account_id, recipient, id);
CREATE INDEX orders_due ON ONLY orders USING btree (queue, priority, account_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX orders_in_doubt ON ONLY orders USING btree (created_at) WHERE (facts ? 'doubt'::text);
CREATE INDEX orders_later ON ONLY orders USING btree (later_at) WHERE (later_at IS NOT NULL);
CREATE INDEX orders_listed ON ONLY orders USING btree (account_id, mode, service, state, id DESC NULLS LAST);
CREATE INDEX orders_returned ON ONLY orders USING btree (route, recipient) WHERE ((ambiguous_at IS NOT NULL) AND (state = 'failed'::text));
CREATE TRIGGER orders_chat_opted_out AFTER UPDATE ON orders FOR EACH ROW WHEN (((new.facts IS NOT NULL) AND (new.service = 'chat'::text) AND (((new.facts ? 'opted_out'::text) AND ((old.facts ? 'opted_out'::text) IS NOT TRUE)) OR (((new.facts #>> '{failure,code}'::text[]) = 'dnd'::text) AND ((old.facts #>> '{failure,code}'::text[]) IS DISTINCT FROM 'dnd'::text) AND (NOT (((new.payload #>> '{fallback,via}'::text[]) = 'sms'::text) AND COALESCE(((old.facts ? 'first_way'::text) OR ((new.payload #>> '{fallback,at_once}'::text[]))::boolean), false))))))) EXECUTE FUNCTION heed_chat_refusal();
CREATE TRIGGER orders_chat_person AFTER UPDATE ON orders FOR EACH ROW WHEN (((new.facts IS NOT NULL) AND (new.service = 'chat'::text) AND ((new.facts ->> 'user_id'::text) <> new.recipient) AND ((old.facts ->> 'user_id'::text) IS DISTINCT FROM (new.facts ->> 'user_id'::text)))) EXECUTE FUNCTION learn_recipient();
CREATE TRIGGER orders_chat_window BEFORE INSERT ON orders FOR EACH ROW WHEN (((new.service = 'chat'::text) AND ((new.payload ->> 'needs_window'::text))::boolean)) EXECUTE FUNCTION require_chat_window();
CREATE TRIGGER orders_chat_window_refused AFTER UPDATE ON orders FOR EACH ROW WHEN (((new.facts IS NOT NULL) AND (new.service = 'chat'::text) AND ((new.facts #>> '{failure,code}'::text[]) = 'chat_window_closed'::text) AND ((old.facts #>> '{failure,code}'::text[]) IS DISTINCT FROM 'chat_window_closed'::text))) EXECUTE FUNCTION close_chat_window();
CREATE TRIGGER orders_dnd AFTER UPDATE ON orders FOR EACH ROW WHEN (((new.facts IS NOT NULL) AND (old.ended_at IS NULL) AND (new.ended_at IS NOT NULL) AND (new.service = 'sms'::text) AND ((new.facts #>> '{failure,code}'::text[]) = 'dnd'::text) AND ((new.payload ->> 'route'::text) = 'promotional'::text))) EXECUTE FUNCTION suppress_dnd();
CREATE TRIGGER orders_fallback_at_once AFTER INSERT ON orders FOR EACH ROW WHEN (((new.service = 'chat'::text) AND ((new.payload #> '{fallback,quota}'::text[]) IS NOT NULL) AND ((new.payload #>> '{fallback,at_once}'::text[]))::boolean)) EXECUTE FUNCTION count_fallback_sms();
CREATE TRIGGER orders_fallback_later AFTER UPDATE OF facts ON orders FOR EACH ROW WHEN (((new.service = 'chat'::text) AND ((new.payload #> '{fallback,quota}'::text[]) IS NOT NULL) AND (new.facts ? 'first_way'::text) AND (NOT COALESCE((old.facts ? 'first_way'::text), false)))) EXECUTE FUNCTION count_fallback_sms();

create table partitioned_tables (
  name text not null,
  key text not null default 'id'::text,
  constraint partitioned_tables_pkey PRIMARY KEY (name),
  constraint partitioned_tables_key_check CHECK ((key = ANY (ARRAY['id'::text, 'position'::text])))
);

create table people (
  account_id uuid not null,
  mode text not null,
  address text not null,
  person text not null,
  former boolean not null default false,
  told_at timestamp with time zone not null default now(),
  constraint people_pkey PRIMARY KEY (account_id, mode, address),
  constraint people_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text])))
);
CREATE INDEX people_by_person ON people USING btree (account_id, mode, person);

create table portal_views (
  id uuid not null,
  account_id uuid not null,
  person_id uuid not null,
  list text not null,
  name text not null,
  filters jsonb not null,
  created_at timestamp with time zone not null,
  constraint portal_views_pkey PRIMARY KEY (id),
  constraint portal_views_account_id_person_id_list_name_key UNIQUE (account_id, person_id, list, name),
  constraint portal_views_account_id_person_id_fkey FOREIGN KEY (account_id, person_id) REFERENCES account_members(account_id, person_id) ON DELETE CASCADE,
  constraint portal_views_list_check CHECK ((list = 'orders'::text)),
  constraint portal_views_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60)))
);

create table provider_references (
  route text not null,
  reference text not null,
  account_id uuid,
  order_id uuid,
  attempt integer,
  piece integer,
  parked jsonb,
  parked_recipient text,
  earlier jsonb,
  apart jsonb,
  created_at timestamp with time zone not null default now(),
  constraint provider_references_pkey PRIMARY KEY (route, reference)
);
CREATE INDEX provider_references_age ON provider_references USING brin (created_at) WITH (autosummarize='on');
CREATE INDEX provider_references_met ON provider_references USING btree (route, reference) WHERE ((parked IS NOT NULL) AND (order_id IS NOT NULL));
CREATE INDEX provider_references_parked ON provider_references USING btree (route, parked_recipient) WHERE (parked IS NOT NULL);

create table purge_progress (
  account_id uuid not null,
  kind text not null,
  up_to uuid not null,
  constraint purge_progress_pkey PRIMARY KEY (account_id, kind)
);

create table purges_put_off (
  kind text not null,
  account_id uuid not null,
  order_id uuid not null,
  due_at timestamp with time zone not null,
  constraint purges_put_off_pkey PRIMARY KEY (kind, account_id, order_id)
);
CREATE INDEX purges_put_off_due ON purges_put_off USING btree (due_at);

create table request_log (
  account_id uuid not null,
  mode text not null,
  id uuid not null,
  method text not null,
  path text not null,
  status smallint not null,
  code text,
  duration_us integer not null,
  about text,
  key_id uuid,
  person_id uuid,
  headers text not null,
  request_body text,
  answer_body text,
  request_cut boolean not null,
  answer_cut boolean not null,
  constraint request_log_pkey PRIMARY KEY (account_id, mode, id)
) partition by RANGE (id);
CREATE INDEX request_log_about ON ONLY request_log USING btree (account_id, about, id) WHERE (about IS NOT NULL);

create table route_pauses (
  route text not null,
  reason text not null,
  paused_at timestamp with time zone not null default clock_timestamp(),
  constraint route_pauses_pkey PRIMARY KEY (route)
);

create table senders (
  account_id uuid not null,
  mode text not null,
  name_key text not null,
  id uuid not null,
  name text not null,
  class text not null,
  evidence text,
  networks jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  reasons jsonb not null default '{}'::jsonb,
  constraint senders_pkey PRIMARY KEY (account_id, mode, name_key),
  constraint senders_id_key UNIQUE (id),
  constraint senders_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint senders_check CHECK ((lower(name) = name_key)),
  constraint senders_class_check CHECK ((class = ANY (ARRAY['transactional'::text, 'promotional'::text, 'both'::text]))),
  constraint senders_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text])))
);
CREATE INDEX senders_by_name ON senders USING btree (name_key);
CREATE INDEX senders_listed ON senders USING btree (account_id, mode, id);

create table settings (
  name text not null,
  value text not null,
  constraint settings_pkey PRIMARY KEY (name)
);

create table smartcard_verifications (
  account_id uuid not null,
  id uuid not null,
  mode text not null,
  tv_provider text not null,
  smartcard_number text not null,
  customer_name text not null,
  current_plan text,
  renewal_kobo bigint,
  due_date text,
  provider text not null,
  verified_at timestamp with time zone not null,
  constraint smartcard_verifications_pkey PRIMARY KEY (account_id, id),
  constraint smartcard_verifications_due_date_check CHECK ((due_date ~ '^\d{4}-\d{2}-\d{2}$'::text)),
  constraint smartcard_verifications_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint smartcard_verifications_renewal_kobo_check CHECK ((renewal_kobo > 0))
);
CREATE INDEX smartcard_verifications_age ON smartcard_verifications USING brin (verified_at) WITH (autosummarize='on');

create table sql_functions (
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null default now(),
  constraint sql_functions_pkey PRIMARY KEY (name)
);

create table storage_probes (
  node uuid not null,
  filler text not null,
  constraint storage_probes_pkey PRIMARY KEY (node)
);

create table subscription_fees (
  account_id uuid not null,
  service text not null,
  period text not null,
  fee_kobo bigint not null,
  constraint subscription_fees_pkey PRIMARY KEY (account_id, service, period),
  constraint subscription_fees_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint subscription_fees_fee_kobo_check CHECK ((fee_kobo >= 0))
);

create table subscriptions (
  account_id uuid not null,
  service text not null,
  plan text not null,
  since timestamp with time zone not null default now(),
  constraint subscriptions_pkey PRIMARY KEY (account_id, service),
  constraint subscriptions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table suppressions (
  account_id uuid not null,
  mode text not null,
  phone text,
  source text not null,
  id uuid not null,
  reason text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  person text not null,
  channel text not null default 'all'::text,
  constraint suppressions_pkey PRIMARY KEY (account_id, mode, person, channel, source),
  constraint suppressions_id_key UNIQUE (id),
  constraint suppressions_channel_check CHECK ((channel = ANY (ARRAY['all'::text, 'sms'::text, 'chat'::text]))),
  constraint suppressions_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint suppressions_source_check CHECK ((source = ANY (ARRAY['recipient'::text, 'network'::text, 'account'::text])))
);
CREATE UNIQUE INDEX suppressions_by_phone ON suppressions USING btree (account_id, mode, phone, source);
CREATE INDEX suppressions_listed ON suppressions USING btree (account_id, mode, id);
CREATE TRIGGER suppressions_person BEFORE INSERT ON suppressions FOR EACH ROW WHEN ((new.person IS NULL)) EXECUTE FUNCTION name_suppressed_person();

create table token_resends (
  account_id uuid not null,
  order_id uuid not null,
  day date not null,
  sent integer not null,
  constraint token_resends_pkey PRIMARY KEY (account_id, order_id, day),
  constraint token_resends_sent_check CHECK ((sent >= 0))
);
CREATE INDEX token_resends_age ON token_resends USING brin (day) WITH (autosummarize='on');

create table topups (
  account_id uuid not null,
  id uuid not null,
  mode text not null,
  method text not null,
  state text not null,
  requested_kobo bigint,
  paid_kobo bigint,
  instructions jsonb not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  constraint topups_pkey PRIMARY KEY (account_id, id),
  constraint topups_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint topups_check CHECK (((state = 'successful'::text) = (paid_kobo IS NOT NULL))),
  constraint topups_check1 CHECK (((state = 'successful'::text) = (completed_at IS NOT NULL))),
  constraint topups_check2 CHECK (((state = 'pending'::text) <= (expires_at IS NOT NULL))),
  constraint topups_method_check CHECK ((method = ANY (ARRAY['link'::text, 'bank_transfer'::text]))),
  constraint topups_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint topups_paid_kobo_check CHECK ((paid_kobo > 0)),
  constraint topups_requested_kobo_check CHECK ((requested_kobo > 0)),
  constraint topups_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'successful'::text, 'expired'::text])))
);
CREATE INDEX topups_announced ON topups USING btree (account_id, mode, created_at) WHERE ((state = 'pending'::text) AND (method = 'bank_transfer'::text));
CREATE INDEX topups_expiring ON topups USING btree (expires_at) WHERE ((state = 'pending'::text) AND (method = 'bank_transfer'::text));

create table transfers (
  account_id uuid not null,
  id uuid not null,
  order_id uuid,
  mode text not null,
  kind text not null,
  debit_kind text not null,
  credit_kind text not null,
  amount_kobo bigint not null,
  state text not null,
  posted_kobo bigint,
  reason text,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  opened_in bigint,
  decided_in bigint,
  constraint transfers_pkey PRIMARY KEY (account_id, id),
  constraint transfers_amount_kobo_check CHECK ((amount_kobo > 0)),
  constraint transfers_check CHECK ((credit_kind <> debit_kind)),
  constraint transfers_check1 CHECK (((posted_kobo >= 0) AND (posted_kobo <= amount_kobo))),
  constraint transfers_check2 CHECK (((state = 'pending'::text) = (decided_at IS NULL))),
  constraint transfers_check3 CHECK (((state = 'posted'::text) = (posted_kobo IS NOT NULL))),
  constraint transfers_kind_check CHECK ((kind = ANY (ARRAY['hold'::text, 'credit'::text, 'debit'::text, 'refund'::text, 'loss'::text, 'loss_undone'::text, 'fee'::text]))),
  constraint transfers_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'posted'::text, 'voided'::text])))
) partition by RANGE (id);
CREATE INDEX transfers_after_end ON ONLY transfers USING btree (created_at) WHERE (kind = ANY (ARRAY['refund'::text, 'loss'::text, 'loss_undone'::text]));
CREATE INDEX transfers_by_order ON ONLY transfers USING btree (account_id, order_id) WHERE (kind <> 'hold'::text);

create table twins (
  account_id uuid not null,
  mode text not null,
  twin text not null,
  order_id uuid not null,
  at timestamp with time zone not null,
  allowed boolean not null,
  constraint twins_pkey PRIMARY KEY (account_id, mode, twin)
);
CREATE INDEX twins_by_time ON twins USING brin (at) WITH (autosummarize='on');

create table usage_changes (
  account_id uuid not null,
  mode text not null,
  hour timestamp with time zone not null,
  service text not null,
  state text not null,
  orders bigint not null,
  price_kobo bigint not null,
  held_kobo bigint not null,
  charged_kobo bigint not null,
  refunded_kobo bigint not null
);
CREATE INDEX usage_changes_by_account ON usage_changes USING btree (account_id, mode, hour);

create table usage_counters (
  account_id uuid not null,
  mode text not null,
  service text not null,
  period text not null,
  used bigint not null default 0,
  constraint usage_counters_pkey PRIMARY KEY (account_id, mode, service, period)
);

create table usage_days (
  account_id uuid not null,
  mode text not null,
  day date not null,
  service text not null,
  state text not null,
  orders bigint not null,
  price_kobo bigint not null,
  held_kobo bigint not null,
  charged_kobo bigint not null,
  refunded_kobo bigint not null,
  constraint usage_days_pkey PRIMARY KEY (account_id, mode, day, service, state)
);

create table usage_fills (
  account_id uuid not null,
  filled_from timestamp with time zone not null,
  due_at timestamp with time zone not null,
  constraint usage_fills_pkey PRIMARY KEY (account_id)
);

create table vendor_floats (
  provider text not null,
  claimed_at timestamp with time zone not null,
  at timestamp with time zone,
  balance_kobo bigint,
  since timestamp with time zone,
  spent_kobo bigint,
  unexplained_kobo bigint,
  undecided_kobo bigint not null default 0,
  undecided_since timestamp with time zone,
  constraint vendor_floats_pkey PRIMARY KEY (provider)
);

create table vendors_reached (
  vendor text not null,
  at timestamp with time zone not null,
  constraint vendors_reached_pkey PRIMARY KEY (vendor)
);

create table wallet_commits (
  account_id uuid not null,
  mode text not null,
  "position" bigint not null,
  batch bigint not null,
  balance_kobo bigint not null,
  held_kobo bigint not null,
  decided uuid[] not null default '{}'::uuid[],
  opened uuid[] not null default '{}'::uuid[],
  at timestamp with time zone not null default clock_timestamp(),
  constraint wallet_commits_pkey PRIMARY KEY (account_id, mode, "position")
);
CREATE INDEX wallet_commits_by_batch ON wallet_commits USING btree (batch, account_id, mode);
CREATE INDEX wallet_commits_by_time ON wallet_commits USING btree (account_id, mode, at);

create table webhook_attempts (
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  type text not null,
  attempt integer not null,
  succeeded boolean not null,
  response_status integer,
  answer text,
  error text,
  address text,
  duration_ms integer not null,
  at timestamp with time zone not null,
  next_attempt_at timestamp with time zone,
  constraint webhook_attempts_pkey PRIMARY KEY (id)
) partition by RANGE (id);
CREATE INDEX webhook_attempts_by_event ON ONLY webhook_attempts USING btree (event_id);
CREATE INDEX webhook_attempts_failed ON ONLY webhook_attempts USING btree (endpoint_id, id) WHERE (NOT succeeded);
CREATE INDEX webhook_attempts_listed ON ONLY webhook_attempts USING btree (endpoint_id, id);

create table webhook_deliveries (
  endpoint_id uuid not null,
  event_id uuid not null,
  type text not null,
  "position" bigint,
  subject_id uuid not null,
  body text,
  holds boolean not null,
  attempts integer not null default 0,
  step integer not null default 0,
  first_at timestamp with time zone,
  planned_at timestamp with time zone,
  due_at timestamp with time zone,
  failed_at timestamp with time zone,
  given_up_at timestamp with time zone,
  constraint webhook_deliveries_pkey PRIMARY KEY (endpoint_id, event_id),
  constraint webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
  constraint webhook_deliveries_check CHECK ((("position" IS NULL) = (body IS NOT NULL))),
  constraint webhook_deliveries_check1 CHECK (((due_at IS NULL) = (given_up_at IS NOT NULL)))
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (endpoint_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_deliveries_holding ON webhook_deliveries USING btree (endpoint_id, subject_id, "position") WHERE holds;

create table webhook_endpoints (
  id uuid not null,
  account_id uuid not null,
  mode text not null,
  url text not null,
  types text[] not null,
  description text,
  may_vend boolean not null,
  status text not null,
  disabled_reason text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  "position" bigint not null,
  done bigint[] not null default '{}'::bigint[],
  missed_before timestamp with time zone,
  next_at timestamp with time zone,
  waiting integer not null default 0,
  event_sequence integer not null default 0,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  rests integer not null default 0,
  rest_until timestamp with time zone,
  leased_by uuid,
  leased_until timestamp with time zone,
  lease_epoch integer not null default 0,
  claimed_at timestamp with time zone,
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint webhook_endpoints_check CHECK (((status = 'disabled'::text) = (disabled_reason IS NOT NULL))),
  constraint webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['gone'::text, 'failing'::text]))),
  constraint webhook_endpoints_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['unverified'::text, 'active'::text, 'paused'::text, 'disabled'::text])))
);
CREATE INDEX webhook_endpoints_listed ON webhook_endpoints USING btree (account_id, mode, id);

create table webhook_keys (
  id uuid not null,
  endpoint_id uuid not null,
  secret text not null,
  private_key text not null,
  public_key text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  constraint webhook_keys_pkey PRIMARY KEY (id),
  constraint webhook_keys_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX webhook_keys_current ON webhook_keys USING btree (endpoint_id) WHERE (expires_at IS NULL);
CREATE INDEX webhook_keys_of ON webhook_keys USING btree (endpoint_id);

-- Sequences that no column owns
create sequence wallet_numbers;

-- Functions: migrations/functions/<name>.sql
-- accept_orders(p_strict boolean, p_recheck boolean, p_node uuid, p_lease_seconds double precision, p_account uuid[], p_id uuid[], p_mode text[], p_service text[], p_queue text[], p_state text[], p_priority smallint[], p_due timestamp with time zone[], p_leased boolean[], p_ambiguity text[], p_price bigint[], p_tax bigint[], p_recipient text[], p_group uuid[], p_reference text[], p_metadata jsonb[], p_payload jsonb[], p_send_at timestamp with time zone[], p_expires timestamp with time zone[], p_created timestamp with time zone[], p_unit integer[], p_quota integer[], p_period text[], k_n integer[], k_account uuid[], k_mode text[], k_kind text[], k_key text[], k_target uuid[], k_fingerprint bytea[], p_group_row jsonb, s_key uuid[], s_cap bigint[], s_day date[], t_twin text[], t_allowed boolean[], p_request uuid[] DEFAULT NULL::uuid[]) returns TABLE(n integer, verdict text, target_id uuid, fingerprint bytea, ended_at timestamp with time zone, available bigint)
-- address_key(address text) returns text
-- begin_accepted(p_accepted bigint, p_node uuid, p_low uuid, p_high uuid, b_account uuid[], b_order uuid[], b_state text[], b_route text[], b_reference text[], b_begun timestamp with time zone[], b_pieces jsonb[]) returns SETOF uuid
-- believed(reference provider_references) returns boolean
-- bounded_json(list jsonb) returns jsonb
-- change_orders(p_node uuid, p_low uuid, p_high uuid, c_account uuid[], c_order uuid[], c_version integer[], c_epoch integer[], c_state text[], c_previous text[], c_due timestamp with time zone[], c_release boolean[], c_attempt integer[], c_route text[], c_reference text[], c_begun timestamp with time zone[], c_ambiguous timestamp with time zone[], c_tries integer[], c_not_found timestamp with time zone[], c_tried jsonb[], c_pieces jsonb[], c_facts jsonb[], c_ended timestamp with time zone[], c_at timestamp with time zone[], c_money text[], c_taken bigint[], c_type text[], c_detail jsonb[], c_group uuid[], c_event uuid[], r_route text[], r_reference text[], r_account uuid[], r_order uuid[], r_attempt integer[], r_piece integer[], c_failed timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[], c_own_begin timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[]) returns TABLE(stale_order uuid, parked_route text, parked_reference text)
-- chat_window_is_open(w chat_windows, p_at timestamp with time zone) returns boolean
-- claim_orders(p_node uuid, p_lease_seconds double precision, p_queue text, p_max integer, p_now timestamp with time zone) returns SETOF orders
-- close_chat_window() returns trigger
-- count_fallback_sms() returns trigger
-- default_partition_rows() returns bigint
-- drop_old_attempts() returns integer
-- drop_old_feed() returns integer
-- due_horizon() returns timestamp with time zone
-- due_queues(p_queues text[], p_now timestamp with time zone) returns SETOF text
-- ensure_partitions() returns integer
-- feed_position(moment timestamp with time zone) returns bigint
-- fill_usage(p_orders integer) returns boolean
-- find_attempts(p_route text[], p_reference text[]) returns SETOF attempts
-- find_references(p_route text[], p_reference text[]) returns SETOF provider_references
-- fold_repeat() returns trigger
-- fold_usage(p_max integer) returns bigint
-- heed_chat_refusal() returns trigger
-- heed_person(p_account uuid, p_mode text, p_address text, p_act text, p_channel text, p_reason text, p_at timestamp with time zone) returns void
-- hint_order(p_route text, p_reference text, p_known boolean DEFAULT false) returns text
-- hint_wait(mode text, created_at timestamp with time zone) returns interval
-- hinted_due(hinted boolean, hint_due_at timestamp with time zone, said timestamp with time zone) returns timestamp with time zone
-- join_people(p_account uuid, p_mode text, p_now text[], p_formerly text[]) returns void
-- keep_attempt() returns trigger
-- keep_request_log(p_now timestamp with time zone) returns integer
-- later_transfer_id(p_order uuid, p_kind text) returns uuid
-- learn_recipient() returns trigger
-- lock_people(p_account uuid, p_mode text) returns void
-- lock_wallets(p_accounts uuid[], p_modes text[]) returns void
-- name_suppressed_person() returns trigger
-- note_opt_in(p_account uuid, p_mode text, p_person text, p_channels text[], p_at timestamp with time zone) returns void
-- open_chat_window(p_mode text, p_number text, p_recipient text, p_at timestamp with time zone) returns void
-- open_chat_windows(p_account uuid, p_mode text, p_number text, p_addresses text[], p_at timestamp with time zone) returns void
-- open_ledger_accounts(p_account uuid, p_mode text, p_kinds text[]) returns void
-- other_id(p_account uuid, p_mode text, p_person text, p_ids text[], p_even_former boolean) returns text
-- park_reports(p_route text[], p_reference text[], p_recipient text[], p_report jsonb[]) returns TABLE(met_route text, met_reference text)
-- park_reports_apart(p_route text[], p_reference text[], p_order uuid[], p_report jsonb[]) returns TABLE(met_route text, met_reference text)
-- person_of(p_account uuid, p_mode text, p_address text) returns text
-- place_events() returns bigint
-- place_first_events() returns bigint
-- post_transfer(p_account uuid, p_id uuid, p_mode text, p_kind text, p_debit text, p_credit text, p_amount bigint, p_reason text, p_at timestamp with time zone) returns boolean
-- probe_storage(p_node uuid) returns void
-- refuse_audit_change() returns trigger
-- release_orders(p_node uuid, p_account uuid[], p_order uuid[], p_epoch integer[], p_after_ms double precision) returns void
-- rename_person(p_account uuid, p_mode text, p_old text, p_new text, p_has_phone boolean) returns void
-- renew_leases(p_node uuid, p_lease_seconds double precision, p_account uuid[], p_order uuid[], p_epoch integer[]) returns TABLE(lost_order uuid)
-- require_chat_window() returns trigger
-- sum_usage(p_account uuid, p_mode text, p_from timestamp with time zone, p_before timestamp with time zone) returns TABLE(mode text, day date, service text, state text, orders bigint, price_kobo bigint, held_kobo bigint, charged_kobo bigint, refunded_kobo bigint)
-- sum_usage_again(p_account uuid) returns void
-- suppress_dnd() returns trigger
-- tell_low_wallets(p_at timestamp with time zone) returns integer
-- uuidv7_floor(moment timestamp with time zone) returns uuid
-- uuidv7_now() returns uuid
-- wake_orders(p_now timestamp with time zone) returns void
