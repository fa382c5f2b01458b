/** The specification's texts, letter for letter, so that nobody corrects them. */
import { expect, test } from "vitest";
import { labels, messages } from "../../shop/texts/specification.ts";

test("the messages are those of sections 5, 7 and 8", () => {
  expect(messages).toMatchObject({
    login: {
      emailRequired: "Email is required",
      emailInvalid: "Provide a valid email",
      passwordRequired: "Password is required",
      provideEmailFirst: "Please Provide Email First",
      resetEmailSent: "Password Reset Email Sent Successfully",
    },
    register: {
      nameRequired: "Name is Required",
      emailRequired: "Email is required",
      emailInvalid: "Provide a valid email",
      passwordTooShort: "Password should be at least 6 charecter",
    },
    purchase: { addressRequired: "Address is required", succeeded: "Purchased Successfully" },
    orders: { cancelled: "Orrder is cancelled successfully", shipped: "Product shipping successfully" },
    payment: { succeeded: "Congratulation your payment is done successdully" },
    review: {
      negative: "review cam't be a negative value",
      aboveMaximum: "Maximum 5 Star review available",
      added: "Thanks For Your Review",
    },
    product: {
      nameRequired: "Name is Required",
      priceRequired: "Price is required",
      quantityRequired: "Product Quantity is required",
      minimumOrderRequired: "Minimum Order Number is required",
      descriptionRequired: "Description is required",
      pictureRequired: "Product picture is required",
      added: "Product Added SuccessFully",
      deleted: "Orrder is deleted successfully",
    },
    profile: { updated: "Updated SuccessFully" },
    admin: { made: "Admin created successfully" },
  });
  expect(messages.purchase.belowMinimum(1240)).toBe("You have to purchase at least 1240 products");
  expect(messages.purchase.aboveStock(1240)).toBe("Purchase qauntity is maximum 1240");
});

test("the labels are those of sections 2 and 4", () => {
  expect(labels).toMatchObject({
    menu: {
      blog: "Blog",
      portfolio: "My Portfolio",
      dashboard: "Dashboard",
      signOut: "Sign Out",
      login: "Login",
      profile: "My Profile",
      orders: "My Orders",
      addReview: "Add a Review",
      manageOrders: "Manage All Orders",
      addTool: "Add A Tool",
      manageProducts: "Manage Products",
      makeAdmin: "Make Admin",
    },
    product: { buyNow: "Buy Now", availableInStock: "Available in Stock", minimumOrder: "Minimum Order" },
    login: { continueWithGoogle: "Continue With Google", forgotPassword: "Forgot Password" },
    orders: {
      pay: "Pay",
      cancel: "Cancel Order",
      unpaid: "Unpaid",
      paid: "Paid",
      pending: "Pending",
      shipping: "Shipping",
      shipped: "Shipped",
    },
  });
  expect(labels.counters.map(({ figure, unit }) => `${figure}${unit}`)).toEqual([
    "150+",
    "125M+",
    "33K+",
    "100+",
  ]);
});
