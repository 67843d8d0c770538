# No mail leaves staging: all of it ends in one mailbox.
mail:
  transport: catcher
  catch_all: shop-dev@teashop.example
