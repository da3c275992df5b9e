import { ServicePage } from "../service/ServicePage.tsx";
import { TryChat } from "./TryChat.tsx";

export const Chat = () => (
  <ServicePage service="chat" title="Chat" line="Write to a person, and let them answer." icon="chat" magic="chat">
    <TryChat />
  </ServicePage>
);
