-- A strain has several images. The first one stays in image_url.

ALTER TABLE strains
  -- What the first image shows. Null: the name of the strain.
  ADD COLUMN image_alt text,
  -- The other images in their order, as [{"strainImageUrl": "…", "altText": "…"}].
  ADD COLUMN more_images jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(more_images) = 'array'),
  ADD CHECK (image_url IS NOT NULL OR more_images = '[]') NOT VALID;

-- Every process clears its cached catalogue.
CREATE TRIGGER announce_image_change AFTER UPDATE OF image_alt, more_images ON strains
  FOR EACH STATEMENT EXECUTE FUNCTION announce_catalogue_change();
