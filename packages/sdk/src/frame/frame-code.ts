/**
 * The errors between the page and the wallet frame, and in the frame itself. `user_rejected`: the user said no.
 * `device_share_missing`: this browser does not hold its share, run a recovery. `device_share_outdated`: the share was
 * replaced elsewhere, run a recovery. `dialog_busy`: 16 requests wait for an answer already. `frame_unreachable`: it did not load (is this
 * page's origin in `allowed_origins`, does its CSP allow the frame?). `frame_lost`: it was removed during the call.
 */
export type FrameCode =
  | 'invalid_request'
  | 'message_too_large'
  | 'session_missing'
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
  | 'internal'
  | 'unsupported_version'
  | 'invalid_publishable_key'
  | 'frame_unreachable'
  | 'frame_lost'
