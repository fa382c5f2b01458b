import { messages } from "../../../shop/messages.ts";
import { call } from "../../api-client.ts";
import { toast } from "../../ui/toast.ts";
import { renewWaiting } from "./waiting.ts";

/**
 * Ships an order and says what became of it (specification, section 7). Gives whether it was shipped by this, refused
 * (it may have turned out to be something else), or got no answer.
 */
export async function shipOrder(id: string): Promise<"shipped" | "refused" | "unanswered"> {
  const answer = await call("shipPurchase", { params: { id } });
  void renewWaiting();
  if (!answer.ok) {
    toast.error(answer.detail);
    return answer.status === 0 ? "unanswered" : "refused";
  }
  if (answer.data.modifiedCount === 0) return "refused";
  toast.success(messages.orders.shipped);
  return "shipped";
}
