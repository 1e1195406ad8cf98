/** Who owns what the development interface makes: `portal.email` of `dev.json`, and the login page's suggestion. */
export const firstOwner = 'owner@example.test'
