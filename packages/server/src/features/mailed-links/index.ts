/**
 * One-use links in emails: a page without a login shows what the link does, and its button does it.
 * @module
 */
export {
  type LinkAction,
  type LinkActions,
  type LinkKind,
  type LinksCtx,
  type LinkWords,
  mailLink,
} from './mailed-links.ts'
