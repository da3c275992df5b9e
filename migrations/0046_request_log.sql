-- What an account's programs and people asked for, and what they were answered: 7 days (ADR 49).
create table request_log (
  account_id uuid not null,
  mode text not null,
  -- The request's own id without its prefix: a UUIDv7, so it also says when.
  id uuid not null,
  method text not null,
  -- With its query; numbers and texts in both are masked.
  path text not null,
  status smallint not null,
  code text,
  duration_us int not null,
  -- The public id of the order, bulk or transfer that it was about.
  about text,
  key_id uuid,
  person_id uuid,
  -- JSON as text, redacted. It is shown and searched as a whole, so nothing is gained by taking it apart.
  headers text not null,
  request_body text,
  answer_body text,
  -- The body is longer than what is kept of it.
  request_cut boolean not null,
  answer_cut boolean not null,
  primary key (account_id, mode, id)
) partition by range (id);
create index request_log_about on request_log (account_id, about, id) where about is not null;

-- define: keep_request_log
select keep_request_log(now());

-- functions: 8d18fafd99d99a84
