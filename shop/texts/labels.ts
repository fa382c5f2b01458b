/** Names of menus, headings, buttons and statuses (specification, sections 2 and 4). */
export const labels = {
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
  home: {
    getStarted: "Get Started",
    ourTools: "Our Tools",
    businessSummary: "Business Summary",
    customerReviews: "Customer Reviews",
    questionAndAnswer: "Question and Answer",
    ourLocation: "Our Location",
  },
  counters: [
    { figure: 150, unit: "+", label: "Customers" },
    { figure: 125, unit: "M+", label: "Annual revenue" },
    { figure: 33, unit: "K+", label: "Reviews" },
    { figure: 100, unit: "+", label: "Tools" },
  ],
  product: {
    buyNow: "Buy Now",
    availableInStock: "Available in Stock",
    minimumOrder: "Minimum Order",
  },
  login: {
    login: "Login",
    forgotPassword: "Forgot Password",
    continueWithGoogle: "Continue With Google",
  },
  fields: {
    name: "Name",
    email: "Email",
    password: "Password",
  },
  /** Statuses of a purchase, and the buttons next to them (table of section 4). */
  orders: {
    pay: "Pay",
    cancel: "Cancel Order",
    unpaid: "Unpaid",
    paid: "Paid",
    pending: "Pending",
    shipping: "Shipping",
    shipped: "Shipped",
    refunded: "Refunded",
  },
} as const;
