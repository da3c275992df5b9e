-- A BRIN index says nothing about the pages since the last vacuum, which are all read then: a fifth of a large table. Each range is
-- summarised as it is full.
alter index provider_references_age set (autosummarize = on);
alter index twins_by_time set (autosummarize = on);
alter index inbound_messages_age set (autosummarize = on);
alter index chat_inbound_age set (autosummarize = on);
alter index meter_verifications_age set (autosummarize = on);
alter index smartcard_verifications_age set (autosummarize = on);
alter index token_resends_age set (autosummarize = on);

-- functions: ee870a5101dd92a1
