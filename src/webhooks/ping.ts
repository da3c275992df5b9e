import { API_VERSION } from "../kernel/api-version.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import { PING_TYPE } from "./endpoint.ts";

/** The body of a ping: an event like all others, about the endpoint itself. */
export const pingBody = (eventId: Uuid, endpointId: Uuid, at: Date): string =>
  JSON.stringify({
    id: encodeId("evt", eventId),
    object: "event",
    type: PING_TYPE,
    timestamp: at.toISOString(),
    api_version: API_VERSION,
    sequence: 1,
    data: { object: { object: "webhook", id: encodeId("whe", endpointId) }, previous_status: null },
  });
