import { useNavigate } from "react-router";
import type { Failure } from "../../../api/outcome.ts";
import { loginRefusals } from "../../../shop/texts/login-refusals.ts";
import { toast } from "../../components/toast.ts";

/** Reports why a call failed; if step-up is needed, with a link to it. */
export function useRefusalToast(): (failure: Failure) => void {
  const navigate = useNavigate();
  const toAccount = { label: "Go to Account", onPress: () => void navigate("/dashboard/account") };
  return ({ detail }) => toast.error(detail, detail === loginRefusals.confirmFirst ? toAccount : undefined);
}
