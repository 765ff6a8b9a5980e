import { useEffect, useState } from "react";
import { FirstOperator } from "./first-operator.tsx";
import { Invitation } from "./invitation.tsx";

/**
 * Where one-time links lead: that to the first operator (`#token=`), and invitations (`#invite=`). What is secret stands
 * behind the `#`, which browsers send nowhere, and leaves the address and the history at once.
 */
export default function SetupPage() {
  const [given] = useState(() => ({
    hash: new URLSearchParams(window.location.hash.slice(1)),
    search: new URLSearchParams(window.location.search),
  }));
  useEffect(() => {
    if (window.location.hash === "" && window.location.search === "") return;
    window.history.replaceState(window.history.state, "", window.location.pathname);
  }, []);
  const invite = given.hash.get("invite") ?? given.search.get("invite");
  return invite === null ? <FirstOperator token={given.hash.get("token") ?? ""} /> : <Invitation token={invite} />;
}
