-- phase: expand
-- Where the wallet frame is served from: the device shares of client-mode wallets are in browsers' storage of this origin.

create table frame_origin (
  singleton boolean primary key default true check (singleton),
  origin text not null check (length(origin) between 1 and 300)
);
