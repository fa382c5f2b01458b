import { messages } from "../../../shop/messages.ts";
import { call } from "../../api-client.ts";
import { toast } from "../../ui/toast.ts";
import { renewWaiting } from "./waiting.ts";

/** Ships an order and says what became of it (specification, section 7). Gives whether it was shipped by this. */
export async function shipOrder(id: string): Promise<boolean> {
  const answer = await call("shipPurchase", { params: { id } });
  void renewWaiting();
  if (!answer.ok) {
    toast.error(answer.detail);
    return false;
  }
  const isShipped = answer.data.modifiedCount > 0;
  if (isShipped) toast.success(messages.orders.shipped);
  return isShipped;
}
