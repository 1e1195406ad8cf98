/** What a customer's own token says of the user; `email` is null unless it is verified. */
export type OidcUser = { issuer: string; subject: string; email: string | null }
