/** One row per commit: on the embedded engine a row costs more than its content. Older versions fill `delivery`. */
export const deliveryGroup = {
  name: "0003-delivery-group",
  statements: [
    `create table delivery_group (
      number bigint generated always as identity primary key,
      instance text not null,
      count integer not null,
      deliveries json not null
    )`,
  ],
} as const;
