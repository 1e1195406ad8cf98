/**
 * Clients and servers that a test holds in its hand: raw sockets, webhook receivers, issuers, proxies,
 * hostile values.
 */

export { type Browser, newBrowser } from './cookie-browser.ts'
export { changed, each, odd, pathsOf, signBodies, wrong, wrongAt } from './hostile-values.ts'
export { type Answer, httpClient } from './http-client.ts'
export { type JsonRpcProxy, jsonRpcProxy, type ProxyFault } from './json-rpc-proxy.ts'
export { type OidcIssuer, startOidcIssuer } from './oidc-issuer.ts'
export { openSocket, type RawAnswer, rawRequest, readAnswer } from './raw-http.ts'
export {
  answerPlainly,
  answerShare,
  isSignedBy,
  isSignedByKey,
  type ReceivedCall,
  startWebhookReceiver,
  type WebhookReceiver,
} from './webhook-receiver.ts'
