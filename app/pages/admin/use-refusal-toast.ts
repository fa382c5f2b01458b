import { useNavigate } from "react-router";
import type { Failure } from "../../../api/outcome.ts";
import { loginRefusals } from "../../../shop/texts/login-refusals.ts";
import { toast } from "../../components/toast.ts";

/** Says why a call failed; where a proof of who is there is too old, with the way to where it is given. */
export function useRefusalToast(): (failure: Failure) => void {
  const navigate = useNavigate();
  const toAccount = { label: "Go to Account", onPress: () => void navigate("/dashboard/account") };
  return ({ detail }) => toast.error(detail, detail === loginRefusals.confirmFirst ? toAccount : undefined);
}
