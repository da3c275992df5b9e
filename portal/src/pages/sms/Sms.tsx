import { ServicePage } from "../service/ServicePage.tsx";
import { TrySms } from "./TrySms.tsx";

export const Sms = () => (
  <ServicePage service="sms" title="SMS" line="Send one and watch it arrive." icon="sms" magic="sms">
    <TrySms />
  </ServicePage>
);
