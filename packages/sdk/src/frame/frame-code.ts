/**
 * The errors between the page and the wallet frame, and in the frame itself. `user_rejected`: the user said no.
 * `device_share_missing`: this browser does not hold its share, run a recovery. `device_share_outdated`: the share was
 * replaced elsewhere, run a recovery. `dialog_busy`: 16 requests wait for an answer already. `frame_unreachable`: it did not load (does
 * this page's CSP allow it?). `frame_lost`: it was removed during the call. `unauthorized`: nobody is logged in, or the platform does not know
 * the publishable key. `origin_not_allowed`: the organization does not list this page's origin. `enclave_unverified`: an
 * imported key was not sealed, because the enclave is not the platform's, or its attestation is not fresh (is this device's clock right?).
 */
export type FrameCode =
  | 'invalid_request'
  | 'message_too_large'
  | 'unauthorized'
  | 'origin_not_allowed'
  | 'unavailable'
  | 'invalid_answer'
  | 'signing_mode_mismatch'
  | 'device_share_missing'
  | 'device_share_outdated'
  | 'user_rejected'
  | 'dialog_busy'
  | 'cancelled'
  | 'timeout'
  | 'network_failed'
  | 'key_mismatch'
  | 'preview_mismatch'
  | 'enclave_unverified'
  | 'internal'
  | 'unsupported_version'
  | 'invalid_publishable_key'
  | 'frame_unreachable'
  | 'frame_lost'
