import { useNavigate } from "react-router";
import type { Failure } from "../../../api/outcome.ts";
import { toast } from "../../components/toast.ts";

/** Reports why a call failed; if step-up is needed, with a link to it. */
export function useRefusalToast(): (failure: Failure) => void {
  const navigate = useNavigate();
  const toAccount = { label: "Go to Account", onPress: () => void navigate("/dashboard/account") };
  return ({ detail, code }) => toast.error(detail, code === "identity_not_confirmed" ? toAccount : undefined);
}
