/** The owner of everything the development interface creates: `portal.email` of `dev.json`, and the login page's suggestion. */
export const firstOwner = 'owner@example.test'
